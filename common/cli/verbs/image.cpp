// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <filesystem>

#include "cli/command_line.hpp"
#include "cli/speech.hpp"
#include "facts/errors.hpp"
#include "os/files.hpp"
#include "problems/grey_image.hpp"

namespace cli {

namespace {

struct ImageOptions {
  std::string file;
};

int image(const ImageOptions& options) {
  if (!problems::is_grey_image(options.file))
    throw facts::UsageError(fmt::format(
        "{} does not end in .pgm; by that lab run tells a grey image from other files", options.file));
  if (std::filesystem::exists(options.file))
    throw facts::UsageError(fmt::format("{} is there already, and stays as it is", options.file));
  os::write_file(options.file, problems::made_image());
  const workbook::ExerciseInfo& exercise = example_exercise();
  say("{}: a grey image of 320 x 240 pixels; its brightness is drawn by {}\n", options.file,
      lab_command(fmt::format("run {} --input {}", exercise.short_name(true), options.file)));
  return ExitCode::fine;
}

}  // namespace

void add_image(CommandLine& line) {
  auto [verb, options] =
      line.add<ImageOptions>("image", "makes a small grey image, an input to count", image);
  verb.add_option("FILE", options.file, "where to make it, such as moon.pgm")->required();
}

}  // namespace cli
