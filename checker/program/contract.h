// SPDX-License-Identifier: GPL-2.0-or-later
//
// The contract between a program under test and the engine that explores it.
//
// A program is a module: a shared object whose code was compiled with
// -fsanitize=thread, so that every plain and volatile access to memory calls
// the engine first (see checker/instrument). What the compiler cannot see -
// orderings, atomic read-modify-writes, locks, waiting, choices - the program
// says by calling the functions below. The engine that loads the module
// defines them; the module leaves them undefined.
//
// Nothing here knows of kernels: a "place" is whatever work can be committed
// to (the model says: a CPU) and an "item" whatever is committed (a task).
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// Changes whenever a structure or a function below changes its meaning.
constexpr uint32_t WR_ABI = 3;

// Limits of one program; an engine refuses a module that exceeds them.
constexpr unsigned WR_THREADS_MAX = 20;
constexpr unsigned WR_STACKS_MAX = 16;

// How strongly an access is ordered, in the kernel's vocabulary.
enum wr_order : uint8_t {
	WR_PLAIN,   // a C access: may race, and a race is reported
	WR_ONCE,    // READ_ONCE / WRITE_ONCE, or a relaxed atomic
	WR_ACQUIRE, // smp_load_acquire
	WR_RELEASE, // smp_store_release
	WR_FULL,    // a value-returning atomic: a full barrier on both sides
};

enum wr_fence_kind : uint8_t {
	WR_FENCE_MB,       // smp_mb and what is as strong
	WR_FENCE_RMB,      // smp_rmb
	WR_FENCE_WMB,      // smp_wmb
	WR_FENCE_CTRL_ACQ, // smp_acquire__after_ctrl_dep
};

enum wr_rmw_kind : uint8_t { WR_RMW_ADD, WR_RMW_AND, WR_RMW_OR };

// One place in the source that asks for ordering. Sites live in the section
// "wr_sites", so that they can be listed and weakened by name without running.
// A site's name is function:primitive, with #2, #3, ... for repetitions.
struct wr_site {
	const char *primitive;
	const char *function;
	const char *file;
	uint32_t line;
	uint32_t unused;
};

// A mark that at least one execution must reach. Marks live in "wr_marks".
struct wr_mark {
	const char *text;
	const char *file;
	uint32_t line;
	uint32_t unused;
};

// What a waiting thread means when nothing can wake it any more.
enum wr_wait : uint8_t {
	WR_WAIT_MUST_END, // waiting for ever is a lost wakeup or a deadlock
	WR_WAIT_IDLE,     // an idle CPU: waiting for ever is how a quiet run ends
};

// Tells whether @value ends the wait. Runs while other threads are suspended
// and must not touch the image.
typedef bool (*wr_condition)(uint64_t value, const void *arg);

// One word of a wait on several.
struct wr_await_term {
	const volatile void *address;
	unsigned width; // bytes: 1, 2, 4 or 8
	wr_condition condition;
	const void *arg;
};

// Annotations. They add no access to the search: each one is attached to the
// NEXT event of the calling thread, which exists anyway: constant and private
// fields make none, and a compare-exchange that fails drops what waits for it.
// Events of an interrupt in between do not count.
enum wr_note_kind : uint8_t {
	WR_WORK_COMMIT, // item's work is published to place by that access
	WR_WORK_DONE,   // item's work leaves place by that access
	WR_OWNER_BEGIN, // item becomes the one that place executes
	WR_OWNER_END,   // place has stopped using item
	WR_OWNER_START, // an OWNER_BEGIN that holds from the first event of the thread on, even
			// if that is an interrupt's; noted before it
	WR_QUEUE_IN,    // item's node enters the queue with number place
	WR_QUEUE_OUT,   // item's node leaves that queue
	WR_WAKE,        // a wakeup of item was issued
	WR_RUN,         // item starts to run on place
	WR_POLL_BEGIN,  // place polls from that access on: it needs no interrupt
	WR_POLL_END,    // it polls no more, or has been told what it polls for
};

// Calls whose accesses belong together.
enum wr_call_kind : uint8_t {
	WR_CALL_IDLE,   // "is place idle?": subject = place, result = 1 if it is
	WR_CALL_SELECT, // "where shall item run?": subject = item, result = place
	WR_CALL_SEARCH, // "is there work elsewhere for place?": subject = place, result = 1 if
			// the others were searched
	WR_CALL_KICK,   // "place has work": subject = place, result = 1 if it was interrupted
};

// The result of a WR_CALL_SELECT that chose nothing.
constexpr unsigned WR_NOWHERE = ~0u;

uint64_t wr_load(const volatile void *address, unsigned width, wr_order order,
		 const wr_site *site);
void wr_store(volatile void *address, unsigned width, uint64_t value, wr_order order,
	      const wr_site *site);
// The read-modify-writes return the old value.
uint64_t wr_exchange(volatile void *address, unsigned width, uint64_t value, wr_order order,
		     const wr_site *site);
// Ordered only if it succeeds, that is if it returns @expected.
uint64_t wr_compare_exchange(volatile void *address, unsigned width, uint64_t expected,
			     uint64_t value, wr_order order, const wr_site *site);
uint64_t wr_fetch(volatile void *address, unsigned width, wr_rmw_kind kind, uint64_t operand,
		  wr_order order, const wr_site *site);
void wr_fence(wr_fence_kind kind, const wr_site *site);

// A spinlock is a 4-byte word, 0 when free. Locking waits for it; the owner is
// the calling thread. Locking acquires, unlocking releases.
void wr_lock(volatile uint32_t *word, const wr_site *site);
void wr_unlock(volatile uint32_t *word, const wr_site *site);

// Waits until the word satisfies @condition and returns the value that did.
// @order is WR_ONCE or WR_ACQUIRE.
uint64_t wr_await(const volatile void *address, unsigned width, wr_condition condition,
		  const void *arg, wr_order order, wr_wait wait, const wr_site *site);
// The same for the first of @count (at most 4) words; returns its index.
unsigned wr_await_any(const wr_await_term *terms, unsigned count, wr_order order, wr_wait wait,
		      const wr_site *site);

// One of 0 .. @count-1; the engine explores all of them.
unsigned wr_choose(unsigned count);

// The number of the calling engine thread, 0 .. threads-1.
unsigned wr_thread(void);

// A program may run on stacks of its own, which move from thread to thread.
// Suspends the stack that the calling thread is on, and goes on with stack @to:
// 0 .. WR_STACKS_MAX-1, or WR_OWN_STACK for the one that the thread started on.
// A stack that was not used yet begins with @entry, which must not return.
// Returns when somebody switches back, perhaps on another thread. It is no
// event and orders nothing. A stack that another thread is on ends the
// execution with RUNNING_TWICE.
typedef void (*wr_stack_entry)(unsigned stack);
constexpr unsigned WR_OWN_STACK = ~0u;
void wr_switch(unsigned to, wr_stack_entry entry);

void wr_note(wr_note_kind kind, unsigned place, unsigned item);
void wr_call_begin(wr_call_kind kind, unsigned subject);
void wr_call_end(wr_call_kind kind, unsigned result);
void wr_reached(const wr_mark *mark);

// A violation that the program itself detects, at this moment of this thread.
// @type is an upper-case name of DESIGN's table, @text one short sentence;
// both must be string literals.
void wr_violation(const char *type, const char *text);

// Only inside wr_program::finally: one named part of the final state.
// Says that the program itself is wrong, in its set-up or later: there is no verdict.
// Returns only in setup and finally.
void wr_error(const char *text);
void wr_outcome(const char *name, uint64_t value);

// --- What a module describes -------------------------------------------------

// How a field's accesses are treated and shown.
enum wr_field_flags : uint8_t {
	WR_FIELD_CONST = 1,   // set up once: reads cost no event, a write is an error
	WR_FIELD_RACY = 2,    // read racily by design: plain accesses count as ONCE
	WR_FIELD_POINTER = 4, // holds the address of an object of the image, or 0
	WR_FIELD_PRIVATE = 8, // only the thread with the object's number may touch it: no event
};

// One field of a structure type. Bitfields are one entry for their whole word.
struct wr_field {
	const char *name;
	uint32_t offset; // bytes from the start of the structure
	uint32_t width;  // bytes; larger than 8 only with CONST or PRIVATE
	uint8_t flags;
	const char *values; // "0=RUNNING 1=INTERRUPTIBLE", or null
};

// One array of structures in the image; names are object[index].field, or
// object/label.field when labels are given.
struct wr_object {
	const char *name;
	void *base;
	uint32_t stride; // bytes
	uint32_t count;
	const wr_field *fields;
	uint32_t field_count;
	const char *const *labels; // count of them, or null
};

// A field of the image whose value takes part in "this place looks idle".
struct wr_idle_view {
	unsigned place;
	const volatile void *address;
	unsigned width;
	uint64_t idle_value;
};

// What is expected of one kernel variant under one model. All members are
// lists of words separated by blanks; those for kernels and models are patterns
// as a shell's, so that "*" stands for all.
struct wr_expectation {
	const char *kernels;
	const char *models;
	const char *types;  // exact set of violation types, "" for none
	const char *source; // commit, mail, catalogue or finding, then a reference
	// The sites that are weakened, as --weaken takes them; null: none.
	const char *weaken = nullptr;
};

struct wr_program {
	const char *name;
	const char *summary; // one line
	const char *file;    // the scenario's source file, as its marks name it
	unsigned threads;
	unsigned places;
	bool large; // runs only with --large
	bool steps; // its default for interrupts is "steps" instead of "every-access"
	// Builds the initial image. Its accesses are not explored.
	void (*setup)(void);
	// The body of engine thread @thread.
	void (*thread)(unsigned thread);
	// Looks at the final image of a complete execution; may be null.
	void (*finally)(void);
	const wr_expectation *expectations;
	unsigned expectation_count;
};

struct wr_module {
	uint32_t abi; // WR_ABI
	const char *kernel;
	// The memory whose accesses are explored: restored before each execution.
	void *image;
	size_t image_size;
	const wr_object *objects;
	unsigned object_count;
	const wr_idle_view *idle_views;
	unsigned idle_view_count;
	const wr_site *sites;
	unsigned site_count;
	const wr_mark *marks;
	unsigned mark_count;
	const wr_program *const *programs;
	unsigned program_count;
	// Called before each access of a thread when interrupts are taken at every
	// access, but for those that it makes itself; the program knows whether they
	// are enabled. May switch stacks. May be null.
	void (*interrupt_point)(void);
	// Names of items and places for stories, may be null.
	const char *const *item_names;
	unsigned item_count;
	const char *const *place_names;
	unsigned place_count;
	// The places that an item may be sent to, as bits; null: all.
	uint32_t (*allowed_places)(unsigned item);
};

// The one symbol that a module exports.
typedef const wr_module *(*wr_module_entry)(void);
#define WR_MODULE_ENTRY "wakerace_module"

} // extern "C"
