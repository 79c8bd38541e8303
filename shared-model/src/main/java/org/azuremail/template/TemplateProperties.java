package org.azuremail.template;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of templates.
 *
 * @param directory where templates are that replace those of the product, file by file; without it, none do
 */
@ConfigurationProperties("azuremail.templates")
public record TemplateProperties(@Nullable Path directory) {}
