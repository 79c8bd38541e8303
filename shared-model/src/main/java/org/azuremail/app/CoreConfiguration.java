package org.azuremail.app;

import org.azuremail.id.IdSource;
import org.azuremail.time.Time;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/**
 * The beans that every role needs. Each application imports it. Each module lists its features in the resource
 * {@code META-INF/spring/org.azuremail.app.CoreConfiguration.imports}, so that a feature's wiring stays private to its
 * package.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AzureMailProperties.class)
@Import(CoreConfiguration.Features.class)
public class CoreConfiguration {

    @Bean
    Time time() {
        return Time.system();
    }

    @Bean
    IdSource idSource() {
        return IdSource.secure();
    }

    /** The features that the resource names, in its order. */
    static final class Features implements ImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return ImportCandidates.load(CoreConfiguration.class, Features.class.getClassLoader())
                    .getCandidates()
                    .toArray(String[]::new);
        }
    }
}
