// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/relacy/run.hpp"

#include "checker/result/json.hpp"

#include <fmt/format.h>

namespace wakerace {

void explore(Session &session)
{
	switch (session.threads()) {
	case 2:
		return run_relacy<2>(session);
	case 3:
		return run_relacy<3>(session);
	case 4:
		return run_relacy<4>(session);
	case 5:
		return run_relacy<5>(session);
	}
	throw BadInput(fmt::format("scenario {} has {} threads; the Relacy engine takes 2 to 5",
				   session.request().scenario, session.threads()));
}

} // namespace wakerace
