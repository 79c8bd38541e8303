package org.azuremail.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.delivery.range.RangeState;
import org.junit.jupiter.api.Test;

/** Checks every pair of states against the diagram in docs/state-machines.md. */
class MessageStatusTests {

    private static final Pattern ARROW = Pattern.compile("^\\s*(\\w+) --> (\\w+)", Pattern.MULTILINE);

    @Test
    void messagesGoOnlyWhereTheDrawingSays() throws IOException {
        Set<String> drawn = drawn("## Message");

        for (MessageStatus from : MessageStatus.values()) {
            for (MessageStatus to : MessageStatus.values()) {
                assertThat(from.mayBecome(to))
                        .as(from + " to " + to)
                        .isEqualTo(drawn.contains(from.stored() + " " + to.stored()));
            }
        }
    }

    @Test
    void rangesGoOnlyWhereTheDrawingSays() throws IOException {
        Set<String> drawn = drawn("## Range");

        for (RangeState from : RangeState.values()) {
            for (RangeState to : RangeState.values()) {
                assertThat(from.mayBecome(to)).as(from + " to " + to).isEqualTo(drawn.contains(from + " " + to));
            }
        }
    }

    @Test
    void everyStatusIsFoundByItsStoredWordAndNoOther() {
        for (MessageStatus status : MessageStatus.values()) {
            assertThat(MessageStatus.of(status.stored())).isEqualTo(status);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> MessageStatus.of("Complete"));
    }

    private static Set<String> drawn(String heading) throws IOException {
        String all = Files.readString(Path.of("../docs/state-machines.md"));
        int start = all.indexOf(heading + "\n");
        assertThat(start).as("the drawing of " + heading).isNotNegative();
        int end = all.indexOf("\n## ", start + 1);
        Matcher arrows = ARROW.matcher(all.substring(start, end < 0 ? all.length() : end));
        Set<String> pairs = new HashSet<>();
        while (arrows.find()) {
            pairs.add(arrows.group(1) + " " + arrows.group(2));
        }
        return pairs;
    }
}
