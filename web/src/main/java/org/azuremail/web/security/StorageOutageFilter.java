package org.azuremail.web.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.azuremail.storage.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.filter.OncePerRequestFilter;

/** Asks the caller to try again if the storage is unavailable when a key or a session is looked up. Logs no error. */
final class StorageOutageFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(StorageOutageFilter.class);

    private final OutageResponse answer;

    @FunctionalInterface
    interface OutageResponse {
        void write(HttpServletRequest request, HttpServletResponse response, StorageException away) throws IOException;
    }

    StorageOutageFilter(OutageResponse response) {
        this.answer = response;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (StorageException away) {
            if (response.isCommitted()) {
                throw away;
            }
            LOG.warn("nobody can say who asks: {}", away.getMessage());
            answer.write(request, response, away);
        }
    }
}
