// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/graph/session.hpp"

#include "checker/execution/reorder.hpp"
#include "checker/invariant/invariant.hpp"
#include "checker/result/json.hpp"
#include "checker/result/tell.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace wakerace {

namespace {

std::unique_ptr<Memory> memory_for(const Request &request)
{
	std::unique_ptr<Memory> memory = make_memory(request.model);
	if (!memory)
		throw BadInput(fmt::format(
			"the graph engine has the models sc, tso, rc11 and lkmm, not {}",
			request.model));
	return memory;
}

NativeThreads::Options options_for(const Request &request, const Module &module, uint8_t poison)
{
	NativeThreads::Options options;
	if (request.irq != "every-access" && request.irq != "steps")
		throw BadInput(fmt::format("--irq is every-access or steps, not {}", request.irq));
	if (request.search != "dpor")
		throw BadInput(fmt::format("the graph engine searches by dpor; {} is not built yet",
					   request.search));
	options.interrupts_everywhere = request.irq == "every-access";
	options.weakened.resize(module.description().site_count);
	for (const std::string &name : request.weaken)
		options.weakened[module.site(name)] = true;
	options.poison = poison;
	return options;
}

} // namespace

Model graph_model_of(const Request &request)
{
	memory_for(request);
	return request.model == "sc" ? Model::sc : Model::c11;
}

GraphSession::GraphSession(const Module &module, const Request &request, uint8_t poison)
    : module_(module), request_(request), memory_(memory_for(request)),
      threads_(module, module.program(request.scenario), options_for(request, module, poison)),
      tally_(module, module.program(request.scenario), request, graph_model_of(request))
{
}

Ending GraphSession::ending() const
{
	if (threads_.broken())
		return Ending::broken;
	if (threads_.truncated())
		return Ending::truncated;
	const std::vector<Waiting> waiting = threads_.waiting();
	const bool blocked = std::any_of(waiting.begin(), waiting.end(), [](const Waiting &w) {
		return w.wait == WR_WAIT_MUST_END;
	});
	return blocked ? Ending::blocked : Ending::complete;
}

Assembled GraphSession::assembled(const Graph &graph, Ending ending, const std::string &outcome)
{
	Assembled result = assemble(graph, threads_, *memory_);
	result.execution.ending = ending;
	result.execution.outcome = outcome;
	if (ending == Ending::complete || ending == Ending::blocked)
		result.execution.waiting = threads_.waiting();
	for (const Record::Finding &finding : threads_.epilogue().findings)
		result.execution.findings.push_back({finding.type, finding.text, {}});
	return result;
}

Execution GraphSession::ended(const Graph &graph)
{
	const Ending ending = this->ending();
	const std::string outcome = threads_.finish(ending == Ending::complete);
	return assembled(graph, ending, outcome).execution;
}

// An execution of which nothing was said and in which nothing races has nothing to
// be judged.
bool GraphSession::silent(const Graph &graph) const
{
	for (unsigned t = 0; t < graph.threads(); ++t)
		if (!threads_.record(t).empty())
			return false;
	return threads_.epilogue().empty() && memory_->races(graph).empty();
}

void GraphSession::take(const Graph &graph)
{
	const Ending ending = this->ending();
	const std::string outcome = threads_.finish(ending == Ending::complete);
	if (ending == Ending::complete && silent(graph))
		return tally_.count(ending, outcome);
	const Assembled result = assembled(graph, ending, outcome);
	tally_.add(result.execution, [&] { return result.schedule; });
}

void GraphSession::explore()
{
	Explorer explorer(threads_, *memory_, module_.program(request_.scenario).threads,
			  threads_.initial());
	while (explorer.advance() && threads_.problem().empty()) {
		if (explorer.premature() && !threads_.broken())
			tally_.count(Ending::redundant, "");
		else
			take(explorer.graph());
		if (tally_.limit_reached())
			return;
	}
}

Execution GraphSession::first()
{
	Explorer explorer(threads_, *memory_, module_.program(request_.scenario).threads,
			  threads_.initial());
	if (!explorer.advance() || !threads_.problem().empty())
		return {};
	return ended(explorer.graph());
}

namespace {

// The @place-th of the writes to @cell that are there; the initial one is the 0th.
int write_at(const Graph &graph, int cell, int place)
{
	int write = Node::none;
	for (; place > 0; --place) {
		write = graph.after(cell, write);
		if (write == Node::none)
			break;
	}
	return write;
}

// Adds the node that @thread is at, the @place-th alternative of it.
void add_step(Graph &graph, unsigned thread, Label label, int place)
{
	switch (label.kind) {
	case Label::Kind::read: {
		unsigned term = 0;
		int cell = label.cell;
		if (label.waits)
			for (term = 0; term < label.guard->count; ++term) {
				cell = label.guard->terms[term].cell;
				const int source = write_at(graph, cell, place);
				if (accepts(label, term, graph.value_of(cell, source)))
					break;
			}
		if (label.waits && term == label.guard->count)
			cell = label.guard->terms[term = 0].cell;
		const int read =
			graph.add_read(thread, label, cell, write_at(graph, cell, place), term);
		const uint64_t old = graph[read].value;
		if (succeeds(graph[read], old))
			graph.add_write(thread, second_half(graph[read], old), graph[read].source,
					true);
		return;
	}
	case Label::Kind::write:
		graph.add_write(thread, label, write_at(graph, label.cell, place), false);
		return;
	case Label::Kind::choice:
		label.operand = static_cast<unsigned>(place);
		[[fallthrough]];
	default:
		graph.add(thread, label);
	}
}

} // namespace

Execution GraphSession::repeat(const Schedule &schedule, std::string &error)
{
	const unsigned count = module_.program(request_.scenario).threads;
	Graph graph(count, threads_.initial(), memory_->width(count));
	threads_.become(graph);
	for (size_t i = 0; i < schedule.size() && threads_.problem().empty(); ++i) {
		if (schedule[i] < 0)
			continue;
		const unsigned thread = static_cast<unsigned>(schedule[i]);
		const bool placed = i + 1 < schedule.size() && schedule[i + 1] < 0;
		const bool gone = thread >= count || (graph.last_of(thread) != Node::none &&
						      graph.refuses(graph.last_of(thread)));
		const Label label = gone ? Label{} : threads_.next(thread);
		if (label.kind == Label::Kind::end) {
			error = fmt::format("step {} runs a thread that has come to its end", i);
			break;
		}
		const int size = graph.size();
		add_step(graph, thread, label, placed ? -1 - schedule[i + 1] : 0);
		for (int node = size; node < graph.size(); ++node)
			memory_->added(graph, node);
	}
	for (unsigned t = 0; t < count; ++t)
		if (graph.last_of(t) == Node::none || !graph.refuses(graph.last_of(t)))
			threads_.next(t);
	if (!threads_.problem().empty())
		error = threads_.problem();
	return ended(graph);
}

// In the order in which the proof reads from top to bottom: the graph is the same.
void GraphSession::tell(Story &story)
{
	std::string error;
	Execution execution = repeat(story.schedule, error);
	const Model model = graph_model_of(request_);
	std::vector<Found> violations = check_invariants(execution, module_, model);
	const auto same = [&](const Found &v) {
		return v.type == story.violation.type && v.text == story.violation.text;
	};
	auto found = std::find_if(violations.begin(), violations.end(), same);
	if (found != violations.end()) {
		const Order order(execution, Order::Edges::po_rf_co_fr);
		const Linear linear = linearize(execution, order, found->stages);
		if (!linear.events.empty()) {
			execution = reordered(execution, linear.events);
			violations = check_invariants(execution, module_, model);
			found = std::find_if(violations.begin(), violations.end(), same);
		}
	}
	if (found != violations.end())
		story.violation = *found;
	story.also.clear();
	for (const Found &other : violations)
		if (other.type != story.violation.type)
			story.also.push_back(other);
	Teller(module_).tell(execution, story);
}

Result GraphSession::result()
{
	Result result = tally_.result(threads_.mark_counts(), threads_.problem());
	for (Story &story : result.stories)
		tell(story);
	return result;
}

} // namespace wakerace
