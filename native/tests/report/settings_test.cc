#include "uroce/report/settings.h"

#include <gtest/gtest.h>

namespace uroce::report {
namespace {

TEST(Settings, NameAFormatAndMayNameAFile) {
  EXPECT_EQ(parse_settings("text", 1)->format, Format::text);
  EXPECT_EQ(parse_settings("text", 1)->path, "");
  EXPECT_EQ(parse_settings("json", 1)->format, Format::json);
  EXPECT_EQ(parse_settings("json:/tmp/a:b", 1)->path, "/tmp/a:b");
}

TEST(Settings, PutTheProcessIdIntoTheName) {
  EXPECT_EQ(parse_settings("json:/tmp/%p-%p.json", 42)->path, "/tmp/42-42.json");
}

TEST(Settings, AreRefusedOtherwise) {
  for (const char* value : {"", "1", "texts", "TEXT", "json:", ":", ":/tmp/a", "text,json"})
    EXPECT_FALSE(parse_settings(value, 1)) << value;
}

}  // namespace
}  // namespace uroce::report
