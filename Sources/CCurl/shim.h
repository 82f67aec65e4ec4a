#pragma once
#include <curl/curl.h>
#include <stdbool.h>

// Swift cannot call variadic functions: one typed wrapper per kind of argument.
static inline CURLcode affix_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode affix_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode affix_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode affix_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode affix_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode affix_easy_set_write(
    CURL *easy, size_t (*callback)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
}
static inline CURLcode affix_easy_set_header(
    CURL *easy, size_t (*callback)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
}
static inline CURLcode affix_easy_set_open_socket(
    CURL *easy, curl_socket_t (*callback)(void *, curlsocktype, struct curl_sockaddr *)) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}
static inline CURLcode affix_easy_set_close_socket(
    CURL *easy, int (*callback)(void *, curl_socket_t)) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
}
static inline CURLcode affix_easy_set_before_request(
    CURL *easy, int (*callback)(void *, char *, char *, int, int)) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}
static inline CURLcode affix_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode affix_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode affix_easy_get_string(CURL *easy, CURLINFO info, char **value) {
  return curl_easy_getinfo(easy, info, value);
}

// OpenSSL's, which is the TLS library of the libcurl that is linked.
struct ssl_st;
int SSL_has_pending(const struct ssl_st *connection);

/// Whether a part of a record of TLS was decrypted, and not read.
static inline bool affix_easy_has_pending(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  return curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) == CURLE_OK && session
      && session->backend == CURLSSLBACKEND_OPENSSL && session->internals
      && SSL_has_pending((const struct ssl_st *)session->internals);
}
static inline CURLMcode affix_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLcode affix_message_result(const CURLMsg *message) {
  return message->data.result;
}
static inline CURLSHcode affix_share_add(CURLSH *share, curl_lock_data data) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}
static inline CURLcode affix_easy_set_share(CURL *easy, CURLSH *share) {
  return curl_easy_setopt(easy, CURLOPT_SHARE, share);
}
