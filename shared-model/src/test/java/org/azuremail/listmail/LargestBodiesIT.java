package org.azuremail.listmail;

import static org.azuremail.listmail.ListFrameTest.assertPlaced;

import org.junit.jupiter.api.Test;

/** Checks the unsubscribe line in bodies of megabytes. */
class LargestBodiesIT {

    @Test
    void largestBodiesGetTheirLineToo() {
        assertPlaced("<html><body>" + "<p>\u0130 </body</p>".repeat(95_000), "</body></html>");
        assertPlaced("<p>" + "\u0130".repeat(2_500_000) + "</p>", "<!-- </body> -->");
    }
}
