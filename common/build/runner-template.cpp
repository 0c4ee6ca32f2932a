// SPDX-License-Identifier: MIT
// Stands for a unit in the commands that build/runner.cpp reads. As it has a main of its own, it links
// without one.
int main() {}
