package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KnownNamesTest {

    private final KnownNames names = new KnownNames();

    private String read(String name) {
        byte[] bytes = (">" + name + "<").getBytes(StandardCharsets.UTF_8);
        return names.get(bytes, 1, bytes.length - 2);
    }

    @Test
    void aNameIsReadOnce() {
        assertThat(read("EmailAddress")).isEqualTo("EmailAddress").isSameAs(read("EmailAddress"));
    }

    @Test
    void namesThatShareAPlaceAreNotMistaken() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 5000; i++) {
                assertThat(read("Name" + i)).isEqualTo("Name" + i);
            }
        }
    }

    @Test
    void lettersOutsideAsciiAreReadWhole() {
        assertThat(read("Größe")).isEqualTo("Größe");
        assertThat(read("Größe")).isEqualTo("Größe");
        assertThat(read("Gr\u00c3\u00b6")).isEqualTo("Gr\u00c3\u00b6");
    }
}
