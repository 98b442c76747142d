// SPDX-License-Identifier: GPL-2.0-or-later
//
// The worker for the graph engine.
#include "checker/graph/session.hpp"
#include "checker/worker/serve.hpp"

namespace wakerace {
namespace {

std::string check_instrumentation(const Module &module, const Request &request)
{
	std::vector<Event> events[2];
	for (int run : {0, 1}) {
		GraphSession session(module, request, run ? 0x5a : 0xa5);
		events[run] = session.first().events;
		if (!session.error().empty())
			return session.error();
	}
	return compare_poisoned(module, events[0], events[1]);
}

class GraphWorker : public EngineWorker {
public:
	std::string name() const override { return "wakerace-graph"; }

	Model model_of(const Request &request) const override { return graph_model_of(request); }

	Result explore(const Module &module, const Request &request,
		       const Progress &progress) override
	{
		const std::string error = check_instrumentation(module, request);
		GraphSession session(module, request);
		session.tally().on_progress = progress;
		if (error.empty())
			session.explore();
		Result result = session.result();
		if (!error.empty())
			result.error = error;
		if (request.model != "sc" && request.model != "tso")
			result.limits = {"load buffering"};
		return result;
	}

	Repeated repeat(const Module &module, const Request &request,
			const Schedule &schedule) override
	{
		GraphSession session(module, request);
		Repeated repeated;
		repeated.execution = session.repeat(schedule, repeated.error);
		return repeated;
	}
};

} // namespace
} // namespace wakerace

int main(int argc, char **argv)
{
	wakerace::GraphWorker worker;
	return wakerace::serve(argc, argv, worker);
}
