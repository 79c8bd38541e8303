package org.azuremail.web.browser;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every page of the site, in light and dark: nobody is shut out, and nothing is wider than its window. */
class EveryPageIT {

    @Test
    void everyPageIsAccessibleAndFitsItsWindow(@TempDir Path data) throws Exception {
        SiteWalk.walk(data, true, "every");
    }
}
