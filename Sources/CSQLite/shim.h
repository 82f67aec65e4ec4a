#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT, which makes SQLite copy the bytes, is a cast that Swift cannot see.
static inline int affix_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int affix_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  // No bytes are an empty blob, not NULL, which is what SQLite makes of a null pointer.
  return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
