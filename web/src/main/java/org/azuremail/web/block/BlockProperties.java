package org.azuremail.web.block;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of blocks.
 *
 * @param dashboard the names of the blocks on the dashboard, in order
 * @param hidden the names of blocks whose items are not shown on pages; API calls still return them
 * @param most the most items that a block shows
 */
@ConfigurationProperties("azuremail.blocks")
record BlockProperties(
        @DefaultValue("birthdays") List<String> dashboard,
        @DefaultValue List<String> hidden,
        @DefaultValue("20") int most) {

    BlockProperties {
        if (most < 1 || most > Blocks.MAX) {
            throw new IllegalArgumentException("azuremail.blocks.most is 1 to " + Blocks.MAX + ", not " + most);
        }
    }
}
