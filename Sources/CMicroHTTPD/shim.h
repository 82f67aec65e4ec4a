#pragma once
#include <sys/types.h>
#include <sys/socket.h>
#include <microhttpd.h>

// Facts about a connection come from variadic functions, which Swift cannot call.

static inline const struct sockaddr *affix_mhd_client_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

static inline int affix_mhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

static inline enum MHD_Result affix_mhd_set_timeout(struct MHD_Connection *connection,
                                                    unsigned int seconds) {
  return MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}
