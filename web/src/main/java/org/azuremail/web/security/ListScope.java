package org.azuremail.web.security;

import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.list.ListName;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/** Lets a key subscribe people to its own lists only. A request that names no list is left to the controller. */
final class ListScope {

    private ListScope() {}

    /** The path names the list. */
    static AuthorizationResult ofPath(
            Supplier<? extends @Nullable Authentication> caller, RequestAuthorizationContext call) {
        return decide(caller.get(), call.getVariables().get("list"));
    }

    /** The query names the list; two values are none, so that nobody is allowed one list and served another. */
    static AuthorizationResult ofParameter(
            Supplier<? extends @Nullable Authentication> caller, RequestAuthorizationContext call) {
        String[] values = call.getRequest().getParameterValues("listName");
        return decide(caller.get(), values != null && values.length == 1 ? values[0] : null);
    }

    private static AuthorizationResult decide(@Nullable Authentication caller, @Nullable String list) {
        return new AuthorizationDecision(caller != null
                && caller.getPrincipal() instanceof ApiKey key
                && key.scope() != ApiKey.Scope.METRICS
                && Optional.ofNullable(list)
                        .flatMap(ListName::parse)
                        .map(key::maySubscribeTo)
                        .orElse(true));
    }
}
