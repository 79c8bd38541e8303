package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ValuesTest {

    @Test
    void laterPutsDoNotChangeBuiltValues() {
        Values.Builder builder = Values.builder().put("a", 1);
        Values first = builder.build();
        Values second = builder.put("b", 2).build();
        Values third = builder.put("a", null).build();

        assertThat(first.asMap()).containsOnlyKeys("a");
        assertThat(second.asMap()).containsOnlyKeys("a", "b");
        assertThat(third.asMap()).containsOnlyKeys("b");
    }

    @Test
    void copyWithAnotherValueDoesNotChangeTheOriginal() {
        Values first = Values.of("a", 1);

        assertThat(first.with("a", 2).integer("a", 0)).isEqualTo(2);
        assertThat(first.integer("a", 0)).isEqualTo(1);
    }

    @Test
    void propertiesKeepTheirOrderAndTheirLastValue() {
        Map<String, Object> expected = new LinkedHashMap<>();
        Values.Builder builder = Values.builder();
        Random random = new Random(20261121);
        for (int i = 0; i < 2000; i++) {
            String name = "p" + random.nextInt(40);
            Integer value = random.nextInt(4) == 0 ? null : i;
            builder.put(name, value);
            if (value == null) {
                expected.remove(name);
            } else {
                expected.put(name, value);
            }
            if (i % 10 == 0) {
                builder = builder.build().toBuilder();
            }

            Map<String, Object> found = builder.build().asMap();
            assertThat(List.copyOf(found.entrySet())).isEqualTo(List.copyOf(expected.entrySet()));
            assertThat(found.get(name)).isEqualTo(value);
        }
    }

    @Test
    void aPropertyOfAnotherTypeIsCorrupt() {
        Values values = Values.of("text", "1").with("number", 1);

        assertCorrupt(() -> values.string("number"));
        assertCorrupt(() -> values.requireString("number"));
        assertCorrupt(() -> values.bool("text", false));
        assertCorrupt(() -> values.integer("text", 0));
        assertCorrupt(() -> values.number("text", 0));
        assertCorrupt(() -> values.requireNumber("text"));
        assertCorrupt(() -> values.requireNumber("missing"));
        assertCorrupt(() -> values.instant("text"));
        assertCorrupt(() -> values.bytes("text"));
    }

    private static void assertCorrupt(ThrowingCallable read) {
        assertThatThrownBy(read).isInstanceOfSatisfying(StorageException.class, corrupt -> assertThat(corrupt.reason())
                .isEqualTo(StorageException.Reason.CORRUPT));
    }

    @Test
    void valuesAreEqualInAnyOrderAndImmutable() {
        Values one = Values.of("a", 1).with("b", new byte[] {1});
        Values other = Values.of("b", new byte[] {1}).with("a", 1);

        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one).isNotEqualTo(Values.of("a", 1)).isNotEqualTo(other.with("a", 2));
        assertThatThrownBy(() -> one.asMap().put("c", 1)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> one.asMap().remove("a")).isInstanceOf(UnsupportedOperationException.class);
        assertThat(one.asMap()).containsOnlyKeys("a", "b");
    }
}
