// Figures of loops as JavaScript objects: NativeLoopFigures and NativeLoopOutcome of
// packages/verbs/src/native/binding.ts.
#pragma once

#include <napi.h>

#include "bench/loop.h"

namespace addon {

Napi::Object to_js(Napi::Env env, const vlbench::Figures& figures);
Napi::Object to_js(Napi::Env env, const vlbench::Outcome& outcome);

}  // namespace addon
