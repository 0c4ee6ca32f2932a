// SPDX-License-Identifier: MIT
// What a page and a deck of slides have in common: frames as data, their style, and the script that draws
// one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "demo/frame.hpp"

namespace demo {

// The frames as the script reads them, without scenes that only a terminal can show.
nlohmann::ordered_json json_of(const Demonstration& demonstration);

// As it may stand in a script's element: nothing in it ends the element.
std::string embedded(const nlohmann::ordered_json& json);

// On 1280 x 720 nothing is smaller than 24 px, and all is on one screen.
std::string_view player_style();

// Draws scenes of `demo` into the elements source, caption, panels and the footer's, and steps through them;
// what keys and buttons do is left to whoever includes it.
std::string_view player_script();

}  // namespace demo
