// SPDX-License-Identifier: GPL-2.0-or-later
//
// Relacy's memory layer as an Engine: its vector clocks and three-deep history
// of each cell decide which writes a read may see. The mapping of the kernel's
// orderings to C11's is here, and so is what Relacy lacks:
//   a value-returning atomic is fence, read-modify-write, fence;
//   a lock taken after an unlock by the same thread orders what was before the
//   unlock before what follows the lock (LKMM's po-unlock-lock-po).
// Include after Relacy's headers.
#pragma once

#include "checker/relacy/session.hpp"

#include <array>

namespace wakerace {

template <unsigned threads> class RelacyMemory : public Engine {
public:
	explicit RelacyMemory(Session &session)
	    : session_(session), cells_(session.runtime().module().cells().size())
	{
	}

	// A new execution: the cells are as the program set them up.
	void start()
	{
		for (Cell &cell : cells_)
			cell.reset();
		for (auto &order : unlocked_)
			order = Unlocked{};
		session_.begin_execution(*this);
	}

	bool newest_only() const { return newest_only_; }

	int load(int cell, wr_order order, bool newest) override
	{
		Cell &c = cells_[cell];
		newest_only_ = newest;
		Reveal reveal;
		unsigned slot;
		if (sc())
			slot = thread_info().atomic_load_seq_cst(&c.data);
		else if (order == WR_ACQUIRE || order == WR_FULL)
			slot = thread_info().atomic_load_acquire(&c.data);
		else
			slot = thread_info().atomic_load_relaxed(&c.data);
		newest_only_ = false;
		return c.writes[slot];
	}

	void store(int cell, wr_order order, int event) override
	{
		Cell &c = cells_[cell];
		Reveal reveal;
		unsigned slot;
		if (sc())
			slot = thread_info().atomic_store_seq_cst(&c.data);
		else if (order == WR_RELEASE)
			slot = thread_info().atomic_store_release(&c.data);
		else
			slot = thread_info().atomic_store_relaxed(&c.data);
		c.writes[slot] = event;
	}

	void exchange(int cell, wr_order order, int event) override
	{
		Cell &c = cells_[cell];
		Reveal reveal;
		bool unused;
		unsigned slot;
		if (sc()) {
			slot = thread_info().atomic_rmw_seq_cst(&c.data, unused);
		} else if (order == WR_FULL) {
			full_fence();
			slot = thread_info().atomic_rmw_acq_rel(&c.data, unused);
			full_fence();
		} else if (order == WR_ACQUIRE) {
			slot = thread_info().atomic_rmw_acquire(&c.data, unused);
		} else if (order == WR_RELEASE) {
			slot = thread_info().atomic_rmw_release(&c.data, unused);
		} else {
			slot = thread_info().atomic_rmw_relaxed(&c.data, unused);
		}
		c.writes[slot] = event;
	}

	void fence(wr_fence_kind kind) override
	{
		if (sc())
			return;
		Reveal reveal;
		switch (kind) {
		case WR_FENCE_MB:
			return full_fence();
		case WR_FENCE_WMB:
			return own().atomic_thread_fence_release();
		case WR_FENCE_RMB:
		case WR_FENCE_CTRL_ACQ:
			return own().atomic_thread_fence_acquire();
		}
	}

	void unlocking() override
	{
		Reveal reveal;
		Unlocked &before = unlocked_[own().index_];
		std::copy_n(own().acq_rel_order_, threads, before.happened.begin());
		std::copy_n(own().acquire_fence_order_, threads, before.read.begin());
	}

	void locked() override
	{
		Reveal reveal;
		const Unlocked &before = unlocked_[own().index_];
		for (unsigned t = 0; t < threads; ++t) {
			auto raise = [](rl::timestamp_t &to, rl::timestamp_t from) {
				to = std::max(to, from);
			};
			raise(own().release_fence_order_[t], before.happened[t]);
			raise(own().release_fence_order_[t], before.read[t]);
			raise(own().acq_rel_order_[t], before.read[t]);
		}
	}

	int race(int cell, int event, bool writes, bool plain) override
	{
		Reveal reveal;
		const auto me = own().index_;
		auto &stamps = cells_[cell].stamps;
		int racing = -1;
		for (unsigned t = 0; t < threads; ++t)
			for (unsigned kind = 0; kind < 4; ++kind) {
				const bool other_writes = kind & 1, other_plain = kind & 2;
				const Stamp &stamp = stamps[t][kind];
				if (t != static_cast<unsigned>(me) && (writes || other_writes) &&
				    (plain || other_plain) && stamp.time > own().acq_rel_order_[t])
					racing = std::max(racing, stamp.event);
			}
		stamps[me][writes + 2 * plain] = {++own().own_acq_rel_order_, event};
		return racing;
	}

protected:
	// Relacy's operator new serves from its own pool while its context is
	// visible; everything but calls into Relacy runs with the context hidden.
	struct Reveal {
		Reveal() { show(); }
		~Reveal() { hide(); }
		static void show() { rl::context_holder<>::instance_ = hidden; }
		static void hide()
		{
			if (rl::context_holder<>::instance_)
				hidden = rl::context_holder<>::instance_;
			rl::context_holder<>::instance_ = nullptr;
		}
		static inline rl::context *hidden = nullptr;
	};

	Session &session_;

private:
	struct Stamp {
		rl::timestamp_t time = 0;
		int event = -1;
	};

	// A cell's history in Relacy, and which event each of its slots holds.
	struct Cell {
		rl::atomic_data_impl<threads> data;
		int writes[rl::atomic_history_size];
		std::array<std::array<Stamp, 4>, threads> stamps;

		void reset()
		{
			// The initial value: older than everything, and seen by nobody,
			// so that it can be read as a stale value.
			for (auto &record : data.history_)
				record.busy_ = false;
			data.current_index_ = rl::atomic_history_size;
			auto &initial = data.history_[0];
			initial.busy_ = true;
			initial.seq_cst_ = true;
			initial.thread_id_ = 0;
			initial.acq_rel_timestamp_ = 0;
			std::fill_n(initial.acq_rel_order_, threads, 0);
			std::fill_n(initial.first_seen_order_, threads,
				    static_cast<rl::timestamp_t>(-1));
			writes[0] = Event::initial;
			stamps = {};
		}
	};

	// What a thread had done and read when it last released a lock.
	struct Unlocked {
		std::array<rl::timestamp_t, threads> happened{};
		std::array<rl::timestamp_t, threads> read{};
	};

	std::vector<Cell> cells_;
	std::array<Unlocked, threads> unlocked_;
	bool newest_only_ = false;

	bool sc() const { return session_.model() == Model::sc; }
	rl::thread_info_base &thread_info() { return *rl::ctx().threadx_; }
	rl::thread_info<threads> &own()
	{
		return static_cast<rl::thread_info<threads> &>(*rl::ctx().threadx_);
	}
	void full_fence() { own().atomic_thread_fence_seq_cst(rl::ctx().seq_cst_fence_order_); }
};

} // namespace wakerace
