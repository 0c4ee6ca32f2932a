// SPDX-License-Identifier: MIT
#include "normalised.hpp"

#include <cctype>
#include <regex>

std::string normalised(const std::string& source) {
  std::string text = std::regex_replace(source, std::regex("//[^\n]*"), "");
  text = std::regex_replace(text, std::regex("\\b[0-9][0-9a-fx.]*(u|ull)?\\b"), "0");
  const std::regex keyword(
      "if|else|for|while|do|return|break|continue|const|constexpr|unsigned|int|char|float|bool|void|volatile|"
      "defect|threadIdx|blockIdx|"
      "blockDim|gridDim|extern|__\\w+|atomic\\w+");
  std::string result;
  const std::regex word("[A-Za-z_]\\w*|[^A-Za-z_\\s]");
  for (std::sregex_iterator token(text.begin(), text.end(), word), end; token != end; ++token) {
    const std::string one = token->str();
    const bool own_name = std::isalpha(static_cast<unsigned char>(one[0])) && !std::regex_match(one, keyword);
    result += (own_name ? "name" : one) + " ";
  }
  return result;
}
