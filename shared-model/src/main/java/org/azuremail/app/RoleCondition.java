package org.azuremail.app;

import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

final class RoleCondition implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Map<String, Object> attributes = metadata.getAnnotationAttributes(ConditionalOnRole.class.getName());
        BindResult<Set<Role>> set =
                Binder.get(context.getEnvironment()).bind("azuremail.roles", Bindable.setOf(Role.class));
        Set<Role> roles = set.isBound() ? set.get() : Set.of(Role.values());
        return attributes != null && attributes.get("value") instanceof Role role && roles.contains(role);
    }
}
