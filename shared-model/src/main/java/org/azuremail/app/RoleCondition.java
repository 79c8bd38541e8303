package org.azuremail.app;

import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

final class RoleCondition implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Map<String, Object> attributes = metadata.getAnnotationAttributes(ConditionalOnRole.class.getName());
        AzureMailProperties settings =
                Binder.get(context.getEnvironment()).bindOrCreate("azuremail", AzureMailProperties.class);
        return attributes != null
                && attributes.get("value") instanceof Role role
                && settings.roles().contains(role);
    }
}
