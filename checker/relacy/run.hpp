// SPDX-License-Identifier: GPL-2.0-or-later
//
// Explores a session's program under Relacy, one instantiation for each number
// of threads. Throws nothing; what went wrong is in the session.
#pragma once

#include "checker/relacy/session.hpp"

namespace wakerace {

template <unsigned threads> void run_relacy(Session &session);

template <> void run_relacy<2>(Session &session);
template <> void run_relacy<3>(Session &session);
template <> void run_relacy<4>(Session &session);
template <> void run_relacy<5>(Session &session);

// Dispatches on the number of the program's threads.
void explore(Session &session);

} // namespace wakerace
