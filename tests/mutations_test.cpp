// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every invariant fires on a model that was broken on purpose, and none of them
// on the model as it stands. A mutation is a patch in tests/mutations whose head
// names the scenario, the memory model and the types that it must bring about.
#include "tests/kernel_fixture.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <ostream>

namespace wakerace {
namespace {

struct Mutation {
	std::filesystem::path patch;
	std::string scenario, model;
	std::set<std::string> types;
};

void PrintTo(const Mutation &mutation, std::ostream *out)
{
	*out << mutation.patch.stem();
}

Mutation read_mutation(const std::filesystem::path &patch)
{
	Mutation mutation{patch, "", "", {}};
	std::istringstream text(read_file(patch));
	for (std::string word; text >> word && word != "---";) {
		if (word == "Scenario:")
			text >> mutation.scenario;
		else if (word == "Model:")
			text >> mutation.model;
		else if (word == "Expect:")
			for (std::string type; text >> type && type != "---";)
				mutation.types.insert(type);
		if (!mutation.types.empty())
			break;
	}
	return mutation;
}

std::vector<Mutation> mutations()
{
	std::vector<Mutation> mutations;
	for (const auto &entry :
	     std::filesystem::directory_iterator(source_root() / "tests/mutations"))
		if (entry.path().extension() == ".patch")
			mutations.push_back(read_mutation(entry.path()));
	std::sort(mutations.begin(), mutations.end(),
		  [](const Mutation &a, const Mutation &b) { return a.patch < b.patch; });
	return mutations;
}

class Mutations : public KernelTest, public testing::WithParamInterface<Mutation> {
protected:
	Result run(const std::vector<std::filesystem::path> &patches)
	{
		Request asked = request(kernel_module("v6.2", patches), GetParam().scenario);
		asked.model = GetParam().model;
		return explore(asked);
	}
};

TEST_P(Mutations, IsNoticed)
{
	const auto found = names(run({GetParam().patch}).violations);
	EXPECT_THAT(found, testing::IsSupersetOf(GetParam().types));
}

TEST_P(Mutations, IsWhatMakesTheDifference)
{
	const Result head = run({});
	EXPECT_TRUE(head.exhaustive);
	// The head has violations of its own, which its scenarios expect.
	EXPECT_FALSE(std::ranges::includes(names(head.violations), GetParam().types));
}

INSTANTIATE_TEST_SUITE_P(All, Mutations, testing::ValuesIn(mutations()));

// A type that no mutation brings about would be a check that cannot fail.
TEST(Mutation, ThereIsOneForEveryType)
{
	std::set<std::string> types;
	for (const Mutation &mutation : mutations())
		types.insert(mutation.types.begin(), mutation.types.end());
	for (const char *type : {"FALSE_IDLE", "FALSE_IDLE_INSTANT", "STACKED", "LOST_WAKEUP",
				 "RUNNING_TWICE", "DOUBLE_ENQUEUE", "WRONG_RQ", "DEADLOCK",
				 "ACCOUNTING_DRIFT", "NODE_REUSED", "DATA_RACE",
				 "NEEDLESS_SEARCH", "NEEDLESS_IPI"})
		EXPECT_TRUE(types.contains(type)) << type;
}

} // namespace
} // namespace wakerace
