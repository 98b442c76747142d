// SPDX-License-Identifier: GPL-2.0-or-later
//
// The JSON form of results (Boost.JSON). Reading throws BadInput with one
// clear sentence when a document is not what it should be.
#pragma once

#include "checker/result/result.hpp"

#include <boost/json.hpp>
#include <stdexcept>

namespace wakerace {

// A mistake in what the user gave us: exit code 2.
class BadInput : public std::runtime_error {
public:
	using std::runtime_error::runtime_error;
};

// The version of the JSON lines, in their member "schema".
constexpr int json_schema = 1;

boost::json::object to_json(const Request &request);
boost::json::object to_json(const Story &story);
boost::json::object to_json(const Result &result);
boost::json::object to_json(const Replay &replay);
boost::json::object to_json(const Trace &trace);

Request request_from_json(const boost::json::value &json);
Story story_from_json(const boost::json::value &json);
Result result_from_json(const boost::json::value &json);
Replay replay_from_json(const boost::json::value &json);
// @text is the whole file; @name is for messages.
Trace trace_from_text(const std::string &text, const std::string &name);

} // namespace wakerace
