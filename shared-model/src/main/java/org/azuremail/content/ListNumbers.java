package org.azuremail.content;

import java.util.Locale;
import org.jsoup.nodes.Element;

/** The marks of the items of one list, according to {@code start}, {@code reversed}, {@code type} and {@code value}. */
final class ListNumbers {

    private static final String LISTS = "ol, ul, menu, dir";
    private static final int LAST_ROMAN = 3999;
    private static final int[] VALUES = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    private static final String[] ROMAN = {"m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"};

    private final boolean ordered;
    private final String type;
    private final int step;
    private int next;

    ListNumbers(Element list) {
        this.ordered = list.normalName().equals("ol");
        this.type = list.attr("type");
        this.step = list.hasAttr("reversed") ? -1 : 1;
        this.next = ordered ? number(list.attr("start"), step > 0 ? 1 : items(list)) : 0;
    }

    /** Returns the mark before an item, including the blank after it. */
    String mark(Element item) {
        if (!ordered) {
            return "- ";
        }
        int number = number(item.attr("value"), next);
        next = number + step;
        return written(number) + ". ";
    }

    private static int number(String text, int otherwise) {
        try {
            return text.isBlank() ? otherwise : Integer.parseInt(text.strip());
        } catch (NumberFormatException notANumber) {
            return otherwise;
        }
    }

    /** Returns the number of items of this list, without those of lists inside it. */
    private static int items(Element list) {
        return (int) list.select("li").stream()
                .filter(item -> list.equals(item.closest(LISTS)))
                .count();
    }

    private String written(int number) {
        return switch (number < 1 ? "1" : type) {
            case "a" -> letters(number);
            case "A" -> letters(number).toUpperCase(Locale.ROOT);
            case "i" -> roman(number);
            case "I" -> roman(number).toUpperCase(Locale.ROOT);
            default -> Integer.toString(number);
        };
    }

    private static String letters(int number) {
        StringBuilder letters = new StringBuilder();
        for (int rest = number; rest > 0; rest = (rest - 1) / 26) {
            letters.insert(0, (char) ('a' + (rest - 1) % 26));
        }
        return letters.toString();
    }

    private static String roman(int number) {
        if (number > LAST_ROMAN) {
            return Integer.toString(number);
        }
        StringBuilder digits = new StringBuilder();
        int rest = number;
        for (int i = 0; i < VALUES.length; i++) {
            for (; rest >= VALUES[i]; rest -= VALUES[i]) {
                digits.append(ROMAN[i]);
            }
        }
        return digits.toString();
    }
}
