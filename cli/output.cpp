// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/output.hpp"

#include "checker/result/json.hpp"
#include "reports/story.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>

namespace wakerace {

Output::Output(const std::string &json) : name_(json)
{
	if (json == "-") {
		json_ = stdout;
		text_ = stderr;
	} else if (!json.empty()) {
		json_ = std::fopen(json.c_str(), "we");
		if (!json_)
			throw BadInput(fmt::format("{} cannot be written: {}", json,
						   std::strerror(errno)));
	}
}

Output::~Output()
{
	if (json_ && json_ != stdout)
		std::fclose(json_);
}

void Output::text(const std::string &text)
{
	std::fwrite(text.data(), 1, text.size(), text_);
	std::fflush(text_);
}

void Output::line(const boost::json::object &line)
{
	if (!json_)
		return;
	const std::string text = boost::json::serialize(line) + "\n";
	if (std::fwrite(text.data(), 1, text.size(), json_) != text.size() || std::fflush(json_))
		throw BadInput(
			fmt::format("{} cannot be written: {}", name_, std::strerror(errno)));
}

unsigned Output::width() const
{
	return output_width(fileno(text_));
}

} // namespace wakerace
