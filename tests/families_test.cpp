// SPDX-License-Identifier: GPL-2.0-or-later
//
// The numbers of executions that are known of the families in bench/families.cpp.
#include "tests/worker_fixture.hpp"

#include <ostream>

namespace wakerace {
namespace {

struct Member {
	const char *name;
	uint64_t sc, rc11;
};

void PrintTo(const Member &member, std::ostream *out)
{
	*out << member.name;
}

class Families : public WorkerTest, public testing::WithParamInterface<Member> {
protected:
	Result run(const std::string &model)
	{
		Request asked = request(path_from("WAKERACE_FAMILIES"), GetParam().name);
		asked.engine = "graph";
		asked.model = model;
		return explore(asked);
	}
};

TEST_P(Families, HaveTheKnownNumberOfExecutions)
{
	for (const auto &[model, count] :
	     {std::pair("sc", GetParam().sc), std::pair("rc11", GetParam().rc11)}) {
		const Result result = run(model);
		EXPECT_TRUE(result.exhaustive) << result.error;
		EXPECT_EQ(result.executions.complete, count) << model;
		EXPECT_EQ(result.executions.blocked, 0u) << model;
	}
}

INSTANTIATE_TEST_SUITE_P(
	Published, Families,
	testing::Values(Member{"ninc(3)", 36, 36}, Member{"ninc(4)", 576, 576},
			Member{"ninc(5)", 14400, 14400}, Member{"ainc(8)", 40320, 40320},
			Member{"casrot(4)", 14, 14}, Member{"casrot(6)", 144, 144},
			Member{"casrot(8)", 2048, 2048}, Member{"casrot(10)", 38486, 38486},
			Member{"readers(15)", 32768, 32768}, Member{"lastzero(5)", 64, 64},
			Member{"lastzero(10)", 3328, 3328}, Member{"fib(5)", 8953, 19404},
			Member{"indexer(12)", 8, 8}, Member{"indexer(14)", 512, 512},
			Member{"indexer(15)", 4096, 4096}));

} // namespace
} // namespace wakerace
