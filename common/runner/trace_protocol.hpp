// SPDX-License-Identifier: MIT
// Traces as part of the protocol's documents.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "runner/trace.hpp"

namespace runner {

nlohmann::json to_json(const TraceRequest& request);
nlohmann::json to_json(const Trace& trace);

// Throw ProtocolError. What they give can be relied upon: steps and arrays exist, and an access has lanes,
// with an offset for each.
TraceRequest trace_request_from(const nlohmann::json& json);
Trace trace_from(const nlohmann::json& json);

}  // namespace runner
