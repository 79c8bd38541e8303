package org.azuremail.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.azuremail.list.ListName;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/** A key may subscribe people to its own lists only. A request that names no list is left to the controller. */
record ListScope(Function<RequestAuthorizationContext, @Nullable String> listName)
        implements AuthorizationManager<RequestAuthorizationContext> {

    static ListScope ofPath() {
        return new ListScope(context -> context.getVariables().get("list"));
    }

    /** The list is in the query. */
    static ListScope ofParameter() {
        return new ListScope(context -> parameter(context.getRequest()));
    }

    @Override
    public AuthorizationResult authorize(
            Supplier<? extends @Nullable Authentication> authentication, RequestAuthorizationContext context) {
        Authentication caller = authentication.get();
        return new AuthorizationDecision(caller != null
                && caller.getPrincipal() instanceof ApiKey key
                && key.scope() != ApiKey.Scope.METRICS
                && named(context).map(key::maySubscribeTo).orElse(true));
    }

    private Optional<ListName> named(RequestAuthorizationContext context) {
        return Optional.ofNullable(listName.apply(context)).flatMap(ListName::parse);
    }

    /** More than one value is none: nobody is allowed one list and served another. */
    private static @Nullable String parameter(HttpServletRequest request) {
        String[] values = request.getParameterValues("listName");
        return values != null && values.length == 1 ? values[0] : null;
    }
}
