package org.azuremail.web.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Predicate;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses what belongs to admins when it comes from another network than theirs, before any of its body is read. */
final class AdminNetworkFilter extends OncePerRequestFilter {

    private final AdminNetworks networks;
    private final Predicate<HttpServletRequest> forAdmins;
    private final Refusal refusal;

    /** Writes the refusal in the form of this part of the service. */
    @FunctionalInterface
    interface Refusal {
        void write(HttpServletRequest request, HttpServletResponse response) throws IOException;
    }

    AdminNetworkFilter(AdminNetworks networks, Predicate<HttpServletRequest> forAdmins, Refusal refusal) {
        this.networks = networks;
        this.forAdmins = forAdmins;
        this.refusal = refusal;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (networks.all() || !forAdmins.test(request) || networks.contain(request.getRemoteAddr())) {
            chain.doFilter(request, response);
        } else {
            refusal.write(request, response);
        }
    }
}
