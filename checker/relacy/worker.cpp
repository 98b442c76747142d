// SPDX-License-Identifier: GPL-2.0-or-later
//
// The worker for Relacy. It is an executable of its own also because Relacy
// replaces operator new for all that it is linked with.
#include "checker/relacy/follow.hpp"
#include "checker/result/json.hpp"
#include "checker/result/tell.hpp"
#include "checker/search/dpor.hpp"
#include "checker/search/random.hpp"
#include "checker/worker/serve.hpp"

#include <fmt/format.h>

namespace wakerace {
namespace {

constexpr uint64_t random_executions_default = 10000;

std::unique_ptr<Search> search_of(const Request &request)
{
	if (request.search == "dpor")
		return std::make_unique<Dpor>();
	if (request.search == "random") {
		uint64_t executions = request.max_executions;
		if (executions == 0) // a time limit alone decides
			executions =
				request.time_limit_s > 0 ? UINT64_MAX : random_executions_default;
		return std::make_unique<RandomSearch>(request.seed, executions);
	}
	if (request.search == "full" || request.search == "bounded")
		return nullptr;
	throw BadInput(
		fmt::format("--search is dpor, full, bounded or random, not {}", request.search));
}

// What Relacy does not explore (docs/engines.md has the whole table).
std::vector<std::string> limits_of(Model model)
{
	if (model == Model::sc)
		return {};
	return {"load buffering, 2+2W, S", "values more than two writes old"};
}

std::vector<Event> first_events(const Module &module, const Request &request, uint8_t poison,
				std::string &error)
{
	Runtime::Options options = options_of(request, module);
	options.poison = poison;
	Session session(module, request, options, std::make_unique<RandomSearch>(1, 1));
	explore(session);
	error = session.runtime().problem();
	return session.runtime().execution().events;
}

std::string check_instrumentation(const Module &module, const Request &request)
{
	std::string error;
	const std::vector<Event> one = first_events(module, request, 0xa5, error);
	if (!error.empty())
		return error;
	const std::vector<Event> other = first_events(module, request, 0x5a, error);
	return error.empty() ? compare_poisoned(module, one, other) : error;
}

class RelacyWorker : public EngineWorker {
public:
	std::string name() const override { return "wakerace-relacy"; }

	Model model_of(const Request &request) const override
	{
		return wakerace::model_of(request);
	}

	Result explore(const Module &module, const Request &request,
		       const Progress &progress) override
	{
		const std::string error = check_instrumentation(module, request);
		Session session(module, request, options_of(request, module), search_of(request));
		session.tally().on_progress = progress;
		if (error.empty())
			wakerace::explore(session);
		Result result = session.result();
		if (!error.empty())
			result.error = error;
		result.limits = limits_of(session.model());
		Teller teller(module);
		for (Story &story : result.stories)
			if (!tell_again(module, request, teller, story))
				result.error = "the program is not deterministic: a schedule could "
					       "not be repeated";
		return result;
	}

	Repeated repeat(const Module &module, const Request &request,
			const Schedule &schedule) override
	{
		Followed followed = follow(module, request, schedule);
		return {std::move(followed.execution), followed.error};
	}
};

} // namespace
} // namespace wakerace

int main(int argc, char **argv)
{
	wakerace::RelacyWorker worker;
	return wakerace::serve(argc, argv, worker);
}
