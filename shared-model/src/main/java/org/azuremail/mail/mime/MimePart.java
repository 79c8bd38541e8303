package org.azuremail.mail.mime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;

/**
 * A body in quoted-printable with places for values. Each literal begins on a new line after a soft break, so its
 * encoding does not depend on the length of a value.
 */
final class MimePart {

    private sealed interface Piece {}

    private record Encoded(String text, int column) implements Piece {}

    private record Slot(Template.Field field, Escaping escaping) implements Piece {}

    private final List<Piece> pieces = new ArrayList<>();
    private final int size;

    MimePart(Template template, Escaping escaping) {
        int bytes = 0;
        for (Template.Part part : template.parts()) {
            if (part instanceof Template.Literal literal) {
                StringBuilder encoded = new StringBuilder(literal.text().length());
                int column = QuotedPrintable.append(encoded, literal.text(), 0);
                pieces.add(new Encoded(encoded.toString(), column));
                bytes += encoded.length();
            } else if (part instanceof Template.Field field) {
                pieces.add(new Slot(field, field.escaping(escaping)));
            }
        }
        this.size = bytes;
    }

    int size() {
        return size;
    }

    void merge(StringBuilder out, Map<String, String> values) {
        int column = 0;
        for (Piece piece : pieces) {
            if (piece instanceof Encoded literal) {
                if (column > 0) {
                    out.append(QuotedPrintable.SOFT_BREAK);
                }
                out.append(literal.text());
                column = literal.column();
            } else if (piece instanceof Slot slot) {
                String value = slot.escaping().apply(Template.value(slot.field(), values));
                column = QuotedPrintable.append(out, value, column);
            }
        }
    }
}
