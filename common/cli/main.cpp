#include <cstdio>
#include "judge/check.hpp"
int main(int c, char** v) { auto& w = judge::workbook(); for (int i = 1; i < c; ++i) for (auto& e : w.find(v[i])) { auto r = judge::check(w, e, {.tree = judge::Tree::solution, .backend = e.launched ? judge::Backend::sim : judge::Backend::cpu, .seed = 1}); printf("%s %s %s\n", e.lab.c_str(), std::string(judge::name_of(r.finding.verdict)).c_str(), r.finding.message.c_str()); } }
