// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/options.hpp"

#include "checker/result/json.hpp"
#include "cli/suggest.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <thread>

namespace wakerace {

namespace {

const std::vector<std::string> built_commands = {"list", "run", "replay", "explain"};
const std::vector<std::string> later_commands = {"verify", "audit", "litmus", "resume"};
const std::vector<std::string> list_kinds = {"scenarios", "kernels", "engines", "types", "sites"};

// What an option accepts, and which of it cannot be had yet.
struct Choice {
	const char *option;
	std::vector<std::string> built;
	std::vector<std::string> later;
};

const Choice engine_choice = {"--engine", {"relacy", "graph", "all"}, {}};
const Choice model_choice = {"--model", {"sc", "c11", "tso", "rc11", "lkmm", "all"}, {}};
const Choice search_choice = {"--search", {"dpor", "full", "bounded", "random"}, {}};
const Choice irq_choice = {"--irq", {"every-access", "steps"}, {}};
const Choice equivalence_choice = {"--equivalence", {"full"}, {"rf"}};
const Choice progress_choice = {"--progress", {"auto", "off"}, {}};

bool contains(const std::vector<std::string> &names, const std::string &name)
{
	return std::find(names.begin(), names.end(), name) != names.end();
}

void check(const Choice &choice, const std::string &value)
{
	if (contains(choice.built, value))
		return;
	if (contains(choice.later, value))
		throw BadInput(fmt::format("{} {} is not built yet", choice.option, value));
	std::vector<std::string> all = choice.built;
	all.insert(all.end(), choice.later.begin(), choice.later.end());
	throw BadInput(fmt::format("{} has no '{}'; the nearest are {}", choice.option, value,
				   nearest(value, all)));
}

void check(const Choice &choice, const std::vector<std::string> &values)
{
	for (const std::string &value : values)
		check(choice, value);
}

// CLI11 itself would take -1 for the largest number.
const CLI::Validator whole_number(
	[](std::string &text) {
		const bool digits =
			!text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
		if (!digits)
			return "'" + text + "' is not a whole number";
		return text.size() < 19 ? std::string() : "'" + text + "' is too large";
	},
	"");

// A range lets nan pass.
const CLI::Validator finite(
	[](std::string &text) {
		return text.find_first_of("nN") == std::string::npos ? std::string()
								     : "'" + text + "' is no time";
	},
	"");

// The raw words of options whose meaning is settled after parsing.
struct Words {
	std::string irq;
	std::string equivalence = "full";
	std::string progress = "auto";
	std::string later_file; // of --ktap, --junit, --html
};

// One value each time, so that what follows may be a GLOB.
CLI::Option *add_repeatable(CLI::App &app, const char *name, std::vector<std::string> &values,
			    const char *says)
{
	return app.add_option(name, values, says)->allow_extra_args(false)->take_all();
}

void add_run(CLI::App &app, RunOptions &run, Words &words)
{
	CLI::App *sub = app.add_subcommand("run", "explore scenarios and judge them");
	sub->add_option("GLOB", run.globs, "scenarios, as shell patterns (default: all)");
	add_repeatable(*sub, "--kernel", run.kernels,
		       "kernel variant or all (default: the head and v6.1)")
		->type_name("NAME");
	add_repeatable(*sub, "--engine", run.engines, "relacy (default), graph or all");
	add_repeatable(*sub, "--model", run.models,
		       "memory model: sc, c11, tso, rc11, lkmm or all (default: the engine's)");
	sub->add_option("--search", run.search, "dpor, full, bounded or random");
	sub->add_option("--irq", words.irq, "where interrupts are taken: every-access or steps");
	add_repeatable(*sub, "--weaken", run.weaken, "take the ordering away from this site")
		->type_name("SITE");
	sub->add_option("--equivalence", words.equivalence, "full; rf is not built yet");
	sub->add_flag("--large", run.large, "also scenarios that take long");
	sub->add_option("-j", run.jobs, "workers at a time (default: one per CPU)")
		->check(CLI::Range(1u, 1024u));
	sub->add_option("--time-limit", run.time_limit_s, "seconds per scenario, 0: none")
		->check(CLI::Range(0.0, 1e9))
		->check(finite);
	sub->add_option("--memory-limit", run.memory_limit_mb, "megabytes per worker, 0: none")
		->check(whole_number);
	sub->add_option("--max-executions", run.max_executions,
			"per scenario, 0: no limit (a random search without a time limit: 10000)")
		->check(whole_number);
	sub->add_option("--context-bound", run.context_bound, "preemptions of the bounded search")
		->check(whole_number);
	sub->add_option("--seed", run.seed, "of the random search")->check(whole_number);
	sub->add_option("--json", run.json, "write JSON Lines, - for standard output");
	for (const char *later : {"--ktap", "--junit", "--html"})
		sub->add_option(later, words.later_file, "not built yet");
	sub->add_option("--traces", run.traces, "directory of trace files (default: build/traces)");
	sub->add_flag("--terse", run.terse, "one short line a verdict");
	sub->add_option("--progress", words.progress, "auto (on a terminal) or off");
	sub->add_flag("-v,--verbose", run.verbose, "print every story in full");
}

void add_others(CLI::App &app, Options &options)
{
	CLI::App *list = app.add_subcommand("list", "what there is to run");
	list->add_option("WHAT", options.list.what, "scenarios, kernels, engines, types or sites");
	list->add_flag("-v,--verbose", options.list.verbose, "with details");
	list->add_option("--kernel", options.list.kernel,
			 "whose sites or scenarios (default: the head's)")
		->type_name("NAME");
	list->add_option("--json", options.list.json, "write JSON Lines, - for standard output");

	CLI::App *replay = app.add_subcommand("replay", "run a trace again and tell its story");
	replay->add_option("TRACE", options.trace.trace, "a file that run has written")->required();
	replay->add_flag("-v,--verbose", options.trace.verbose, "keep repetitions apart");

	CLI::App *explain = app.add_subcommand(
		"explain", "find the shortest story of the same violation and tell it");
	explain->add_option("TRACE", options.trace.trace, "a file that run has written")
		->required();
	explain->add_flag("-v,--verbose", options.trace.verbose, "keep repetitions apart");

	app.add_subcommand("test", "build and run all tests (./wakerace test)");
	for (const std::string &later : later_commands)
		app.add_subcommand(later, "not built yet");
	for (CLI::App *sub : app.get_subcommands({}))
		sub->allow_extras();
}

std::vector<std::string> option_names(const CLI::App &sub)
{
	std::vector<std::string> names;
	for (const CLI::Option *option : sub.get_options({})) {
		for (const std::string &name : option->get_lnames())
			names.push_back("--" + name);
		for (const std::string &name : option->get_snames())
			names.push_back("-" + name);
	}
	return names;
}

void refuse_extras(const CLI::App &sub)
{
	for (const std::string &word : sub.remaining()) {
		if (!word.starts_with("-"))
			throw BadInput(fmt::format("{} does not take the argument '{}'",
						   sub.get_name(), word));
		throw BadInput(fmt::format("{} has no option '{}'; the nearest are {}",
					   sub.get_name(), word, nearest(word, option_names(sub))));
	}
}

// CLI11's own words, as one line.
std::string one_line(std::string text)
{
	std::replace(text.begin(), text.end(), '\n', ' ');
	while (!text.empty() && text.back() == ' ')
		text.pop_back();
	return text;
}

void settle_run(const CLI::App &sub, RunOptions &run, const Words &words)
{
	for (const char *later : {"--ktap", "--junit", "--html"})
		if (sub.count(later))
			throw BadInput(fmt::format("{} is not built yet", later));
	check(engine_choice, run.engines);
	check(model_choice, run.models);
	check(search_choice, run.search);
	check(equivalence_choice, words.equivalence);
	check(progress_choice, words.progress);
	if (sub.count("--irq")) {
		check(irq_choice, words.irq);
		run.irq = words.irq;
	}
	run.progress = words.progress == "auto";
	if (sub.count("--context-bound") && !sub.count("--search"))
		run.search = "bounded";
	if (sub.count("--context-bound") && run.search != "bounded")
		throw BadInput("--context-bound bounds --search bounded and no other");
	if (sub.count("--seed") && run.search != "random")
		throw BadInput("--seed is for --search random and no other");
	if (!sub.count("-j"))
		run.jobs = std::max(1u, std::thread::hardware_concurrency());
}

void settle_list(const ListOptions &list)
{
	if (!contains(list_kinds, list.what))
		throw BadInput(fmt::format("list has no '{}'; the nearest are {}", list.what,
					   nearest(list.what, list_kinds)));
	if (!list.kernel.empty() && list.what != "sites" && list.what != "scenarios")
		throw BadInput(fmt::format("--kernel chooses whose sites or scenarios are listed; "
					   "the {} are the same for all",
					   list.what));
}

void refuse_unknown_command(const std::vector<std::string> &arguments)
{
	if (arguments.empty())
		throw BadInput("say what to do: list, run, replay or explain (--help tells more)");
	const std::string &word = arguments.front();
	if (contains(later_commands, word))
		throw BadInput(fmt::format("the command {} is not built yet", word));
	if (word == "test")
		throw BadInput("the tests are run by the launcher at the root of the tree: "
			       "./wakerace test");
	if (word.starts_with("-") || contains(built_commands, word))
		return;
	std::vector<std::string> all = built_commands;
	all.insert(all.end(), later_commands.begin(), later_commands.end());
	all.push_back("test");
	throw BadInput(fmt::format("there is no command '{}'; the nearest are {}", word,
				   nearest(word, all)));
}

CommandName command_named(const std::string &name)
{
	if (name == "list")
		return CommandName::list;
	if (name == "run")
		return CommandName::run;
	return name == "replay" ? CommandName::replay : CommandName::explain;
}

} // namespace

Options parse_options(const std::vector<std::string> &arguments)
{
	refuse_unknown_command(arguments);
	Options options;
	Words words;
	CLI::App app("Explores every interleaving of the kernel's wakeup paths.", "wakerace");
	app.set_version_flag("--version", std::string("wakerace ") + WAKERACE_VERSION);
	add_run(app, options.run, words);
	add_others(app, options);
	app.allow_extras();

	std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
	try {
		app.parse(reversed);
	} catch (const CLI::CallForHelp &) {
		options.text = app.help();
		return options;
	} catch (const CLI::CallForVersion &) {
		options.text = std::string("wakerace ") + WAKERACE_VERSION + "\n";
		return options;
	} catch (const CLI::ParseError &error) {
		throw BadInput(one_line(error.what()));
	}
	for (const std::string &word : app.remaining())
		throw BadInput(fmt::format("there is no option '{}' before a command", word));
	const CLI::App *sub = app.get_subcommands().front();
	refuse_extras(*sub);
	options.command = command_named(sub->get_name());
	if (options.command == CommandName::run)
		settle_run(*sub, options.run, words);
	if (options.command == CommandName::list)
		settle_list(options.list);
	return options;
}

} // namespace wakerace
