// SPDX-License-Identifier: MIT
#include "cli/program.hpp"

int main(int argument_count, char** arguments) { return cli::run_program(argument_count, arguments); }
