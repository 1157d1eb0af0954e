#pragma once

// What libge_core.so exports: functions of namespace ge::api, and nothing else (core.map).  An
// installed CANN brings symbols of namespace ge into the same process.
#define GE_API __attribute__((visibility("default")))
