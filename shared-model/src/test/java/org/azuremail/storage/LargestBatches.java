package org.azuremail.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded rows with all kinds of letters, as large as the product writes them, and larger. */
public final class LargestBatches {

    /** The number of batches that are written to a real storage; set it with {@code -Dazuremail.test.batches=N}. */
    public static final long SEEDS = Long.getLong("azuremail.test.batches", 3);

    private static final String[] LETTERS = {"\"", "\\", "\u0001", "ä", "漢", "\uD83D\uDE80", "x", "\n", "<", "\u2028"};

    private LargestBatches() {}

    /** Returns a repeated letter, usually as often as the limit allows. */
    public static String text(Random random, int max) {
        String letter = LETTERS[random.nextInt(LETTERS.length)];
        int length = random.nextInt(4) == 0 ? random.nextInt(max) : max;
        return letter.repeat(length / letter.length());
    }

    /** Returns inserts of rows that fill more than one batch, by rows or by bytes. */
    public static List<Write> writes(long seed) {
        Random random = new Random(seed);
        int properties = 1 + random.nextInt(5);
        int longest = random.nextBoolean() ? Values.MAX_STRING_LENGTH : 1 + random.nextInt(2_000);
        int keys = random.nextBoolean() ? KeyEscaper.MAX_KEY_LENGTH : 20;
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            Values.Builder values = Values.builder().put("Generation", i).put("Number", 1L << 60);
            for (int property = 0; property < properties; property++) {
                values.put("Property" + property, text(random, longest));
            }
            String number = "%04d".formatted(i);
            writes.add(Write.insert("k".repeat(keys - number.length()) + number, values.build()));
        }
        return writes;
    }
}
