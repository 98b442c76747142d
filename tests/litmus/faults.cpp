// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs that do what a program under test must not, and a few that must be
// taken for what they are: the engine has to tell them apart.
#include <linux/barrier.h>

namespace {

struct shared {
	int x, y;
	int constant;
	int unnamed;
	unsigned low : 1, high : 1;
	int data; // plain: races are reported
};

struct personal {
	int value;
};

__image shared m;
__image personal own[2];
int outside; // neither stack nor image: what is not restored between executions

#define FIELD(type, name, flags) {#name, offsetof(type, name), sizeof(type::name), flags, nullptr}

const wr_field shared_fields[] = {
	FIELD(shared, x, WR_FIELD_RACY),
	FIELD(shared, y, WR_FIELD_RACY),
	FIELD(shared, constant, WR_FIELD_CONST),
	{"bits", offsetof(shared, unnamed) + sizeof(int), 1, WR_FIELD_RACY, nullptr},
	FIELD(shared, data, 0),
};
const wr_field own_fields[] = {FIELD(personal, value, WR_FIELD_PRIVATE)};
const wr_object objects[] = {
	{"m", &m, sizeof(m), 1, shared_fields, 5, nullptr},
	{"own", own, sizeof(personal), 2, own_fields, 1, nullptr},
};

void zero() {}

void report()
{
	wr_outcome("x", m.x);
	wr_outcome("bits", m.low + 2 * m.high);
}

#define PROGRAM(id, name, body0, body1) PROGRAM_IN("", id, name, body0, body1)
#define PROGRAM_IN(file, id, name, body0, body1)                                 \
	void id(unsigned thread)                                                                 \
	{                                                                                        \
		if (thread == 0) {                                                               \
			body0;                                                                   \
		} else {                                                                         \
			body1;                                                                   \
		}                                                                                \
	}                                                                                        \
	const wr_program program_##id = {name, "", file, 2, 2, false, false,                 \
					 zero, id, report, nullptr, 0};

int read_behind(int *from)
{
	int value;
	asm volatile("movl %1, %0" : "=r"(value) : "m"(*from));
	return value;
}

void write_behind(int *to) { asm volatile("movl $5, %0" : "=m"(*to)); }

bool touches_image(uint64_t, const void *) { return m.y == 0; }

int sum_on_stack()
{
	volatile int words[8];
	int sum = 0;
	for (int i = 0; i < 8; ++i)
		words[i] = i;
	for (int i = 0; i < 8; ++i)
		sum += words[i];
	return sum;
}

PROGRAM(asm_read, "asm-read", m.y = read_behind(&m.x) & 1, m.x = 1)
PROGRAM(asm_write, "asm-write", write_behind(&m.x), m.y = 1)
PROGRAM(bitfield, "bitfield", m.low = 1, m.high = 1)
PROGRAM(stack, "stack", m.x = sum_on_stack(), m.y = 1)
PROGRAM(unnamed, "unnamed", m.unnamed = 1, m.y = 1)
PROGRAM(narrow, "narrow", *(char *)&m.x = 1, m.y = 1)
PROGRAM(constant, "constant", m.constant = 1, m.y = 1)
PROGRAM(foreign, "foreign", own[1].value = 1, m.y = 1)
PROGRAM(condition, "condition",
	wr_await(&m.x, 4, touches_image, nullptr, WR_ONCE, WR_WAIT_MUST_END, nullptr), m.x = 1)
PROGRAM(endless, "endless", while (READ_ONCE(m.x) != 2) {}, m.x = 1)
PROGRAM(spin, "spin", for (volatile int i = 1; i;) {}, m.x = 1)
PROGRAM(crash, "crash", *(volatile int *)8 = 1, m.x = 1)
PROGRAM(unsteady, "unsteady", if (++outside % 3 == 0) m.y = 1, m.y = 2)
// Marks belong to the program whose file they stand in.
PROGRAM_IN(__FILE__, unreached, "unreached", if (READ_ONCE(m.x) == 7) reachable("x is 7"), m.x = 1)
PROGRAM(unbalanced, "unbalanced", wr_call_end(WR_CALL_IDLE, 0), m.x = 1)
PROGRAM(own_words, "own-words", own[0].value = 3; m.x = own[0].value, m.y = 1)

const wr_program *const programs[] = {
	&program_asm_read, &program_asm_write, &program_bitfield, &program_stack,
	&program_unnamed,  &program_narrow,    &program_constant, &program_foreign,
	&program_condition, &program_endless,  &program_spin,     &program_crash,
	&program_unsteady, &program_unreached, &program_unbalanced, &program_own_words,
};

} // namespace

extern "C" {
extern char __start_image[] __attribute__((visibility("hidden")));
extern char __stop_image[] __attribute__((visibility("hidden")));
extern const wr_mark __start_wr_marks[] __attribute__((visibility("hidden")));
extern const wr_mark __stop_wr_marks[] __attribute__((visibility("hidden")));

__attribute__((visibility("default"))) __no_access_events const wr_module *wakerace_module(void)
{
	static const char *const places[] = {"P0", "P1"};
	static wr_module module;
	module = {WR_ABI, "faults", __start_image,
		  static_cast<size_t>(__stop_image - __start_image), objects, 2, nullptr, 0,
		  nullptr, 0, __start_wr_marks,
		  static_cast<unsigned>(__stop_wr_marks - __start_wr_marks), programs,
		  ARRAY_SIZE(programs), nullptr, nullptr, 0, places, 2, nullptr};
	return &module;
}
}
