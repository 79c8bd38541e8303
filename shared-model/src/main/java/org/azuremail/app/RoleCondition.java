package org.azuremail.app;

import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

final class RoleCondition implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Map<String, Object> attributes = metadata.getAnnotationAttributes(ConditionalOnRole.class.getName());
        Set<Role> roles = Binder.get(context.getEnvironment())
                .bind("azuremail.roles", Bindable.setOf(Role.class))
                .orElse(Set.of(Role.values()));
        return attributes != null && roles.contains(attributes.get("value"));
    }
}
