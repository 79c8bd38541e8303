package org.azuremail.app;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Restricts a configuration or bean to processes whose {@code azuremail.roles} contains the role. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(ConditionalOnRole.OnRoleCondition.class)
public @interface ConditionalOnRole {

    Role value();

    final class OnRoleCondition implements Condition {

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
}
