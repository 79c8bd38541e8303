package org.azuremail.subscription.subscriber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.regex.Pattern;
import org.azuremail.id.SeededIds;
import org.junit.jupiter.api.Test;

class SubscriberGuidTest {

    private static final Pattern FORM = Pattern.compile("[0-9]{1,3}\\.([A-Za-z0-9_-]{22}|[0-9a-fA-F-]{36})");

    @Test
    void aGuidIsAShardAndATokenOrUuid() {
        assertThat(new SubscriberGuid("7." + "aZ09-_".repeat(3) + "abcd").shard())
                .isEqualTo(7);
        assertThat(new SubscriberGuid("015.123e4567-e89b-12D3-A456-426614174000").shard())
                .isEqualTo(15);
        assertThatThrownBy(() -> new SubscriberGuid("7.short")).isInstanceOf(IllegalArgumentException.class);
        assertThat(SubscriberGuid.parse("")).isEmpty();
    }

    @Test
    void olderVersionsAcceptAGuidInOrder() {
        SubscriberGuid guid = SubscriberGuid.inOrder(12, 0x3_00ab, new SeededIds(7));

        assertThat(guid.value()).matches(FORM).matches("12\\.00ab[0-9a-f]{32}");
        assertThat(guid.shard()).isEqualTo(12);
    }

    /** Returns GUIDs with at most one change. */
    @Test
    void onlyTheExactFormIsAccepted() {
        Random random = new Random(20261121);
        String[] texts = {
            "7.aZ09-_aZ09-_aZ09-_abcd",
            "123.123e4567-e89b-12D3-A456-426614174000",
            "12.aZ09-_aZ09-_aZ09-_abcde",
            "1234.x"
        };
        String letters = "0aFgGz-_.@/:`{[ é";
        int taken = 0;
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder(texts[random.nextInt(texts.length)]);
            int place = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.setCharAt(place, letters.charAt(random.nextInt(letters.length())));
                case 1 -> text.insert(place, letters.charAt(random.nextInt(letters.length())));
                case 2 -> text.deleteCharAt(place);
                default -> text.append("");
            }
            boolean guid = FORM.matcher(text).matches();
            taken += guid ? 1 : 0;
            assertThat(SubscriberGuid.parse(text.toString()).isPresent())
                    .as(text.toString())
                    .isEqualTo(guid);
        }
        assertThat(taken).isBetween(10_000, 90_000);
    }
}
