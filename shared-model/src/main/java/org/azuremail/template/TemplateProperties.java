package org.azuremail.template;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of templates.
 *
 * @param directory of templates that replace those of the product, file by file; optional
 */
@ConfigurationProperties("azuremail.templates")
public record TemplateProperties(@Nullable Path directory) {}
