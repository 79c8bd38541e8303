package org.azuremail.web.block;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of blocks.
 *
 * @param dashboard the names of the blocks on the dashboard, in order
 * @param hidden the names of blocks whose items are not shown on pages; API calls still return them
 * @param most the most items that a block shows
 */
@Validated
@ConfigurationProperties("azuremail.blocks")
record BlockProperties(
        @DefaultValue("birthdays") List<String> dashboard,
        @DefaultValue List<String> hidden,
        @DefaultValue("20") @Min(1) @Max(Blocks.MAX) int most) {}
