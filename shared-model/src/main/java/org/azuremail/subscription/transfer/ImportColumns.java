package org.azuremail.subscription.transfer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVRecord;
import org.azuremail.field.Field;
import org.azuremail.field.ListFields;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.transfer.CsvFile.Delimiter;
import org.azuremail.subscription.transfer.ImportRefusedException.ImportReason;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a file's columns. Common headings, in any case and with any blanks, denote the address and the name;
 * every other column with a heading is an attribute.
 *
 * @param name the number of the column, or -1 if there is none, like the next two
 * @param givenName combined with the family name in rows without a name; both are attributes, too
 * @param attributes the attribute of each column; {@code null} for other columns
 * @param standing the columns that may say that a person gets no email
 */
record ImportColumns(
        int email,
        int name,
        int givenName,
        int familyName,
        Delimiter delimiter,
        List<@Nullable String> attributes,
        List<Standing> standing) {

    private static final List<String> EMAIL = List.of("email", "emailaddress", "mail", "mailaddress", "address");
    private static final List<String> NAME = List.of("name", "fullname", "displayname");
    private static final List<String> GIVEN_NAME = List.of("firstname", "givenname", "forename", "fname");
    private static final List<String> FAMILY_NAME = List.of("lastname", "familyname", "surname", "lname");

    /** Columns with the state of a person, in exports of this service and of listmonk. */
    private static final Set<String> STATE = Set.of("state", "status");

    private static final Set<String> NO_EMAIL =
            Set.of("unsubscribed", "suppressed", "blocklisted", "disabled", "cleaned", "bounced", "complained");

    /** Columns of Mailchimp with the time since which a person gets no email. */
    private static final Set<String> NO_EMAIL_SINCE = Set.of("unsubtime", "cleantime");

    /**
     * A column that may say that a person gets no email.
     *
     * @param state whether it contains a state; otherwise, any value says so
     */
    private record Standing(int column, String heading, boolean state) {}

    /** Columns of this service's exports that are not attributes. */
    static final Set<String> EXPORT_COLUMNS = Set.of("state", "verified", "created_at", "left_at");

    /** The most characters of all attributes of a row together; two hundred such rows fit a batch. */
    private static final int MAX_CHARS = 8000;

    /** The most reasons of a row, because each may list the options of a field. */
    private static final int MAX_REASONS = 3;

    /**
     * The first columns of a file of refused rows. An import of the corrected file ignores those that were not in the
     * original file.
     */
    static final List<String> REFUSED_COLUMNS = List.of("row", "email", "reason");

    static ImportColumns of(List<String> headings, Delimiter delimiter) throws ImportRefusedException {
        int ours = headings.size() >= REFUSED_COLUMNS.size()
                        && headings.subList(0, REFUSED_COLUMNS.size()).equals(REFUSED_COLUMNS)
                ? REFUSED_COLUMNS.size()
                : 0;
        List<String> bare = headings.stream().map(ImportColumns::bare).toList();
        int email = findColumn(bare, EMAIL);
        if (email < 0) {
            throw new ImportRefusedException(ImportReason.FILE_NO_EMAIL, shortened(String.join(", ", headings)));
        }
        int name = findColumn(bare, NAME);
        List<@Nullable String> attributes = new ArrayList<>();
        List<Standing> standing = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < headings.size(); i++) {
            attributes.add(i < ours || i == email || i == name ? null : attribute(headings.get(i), taken));
            if (taken.size() > MailingList.MAX_ATTRIBUTES) {
                throw new ImportRefusedException(ImportReason.FILE_COLUMNS, MailingList.MAX_ATTRIBUTES);
            }
            boolean state = STATE.contains(bare.get(i));
            if (state || NO_EMAIL_SINCE.contains(bare.get(i))) {
                standing.add(new Standing(i, headings.get(i).strip(), state));
            }
        }
        return new ImportColumns(
                email,
                name,
                findColumn(bare, GIVEN_NAME),
                findColumn(bare, FAMILY_NAME),
                delimiter,
                attributes,
                standing);
    }

    SortedSet<String> attributeNames() {
        return attributes.stream().filter(Objects::nonNull).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the cells of a row, or of the header, without the address. */
    List<String> others(List<String> row) {
        List<String> others = new ArrayList<>(row);
        if (email < others.size()) {
            others.remove(email);
        }
        return others;
    }

    String email(CSVRecord row) {
        return cell(row, email);
    }

    /** Returns whether the row says that the person has not confirmed. */
    boolean unconfirmed(CSVRecord row) {
        return standing.stream().filter(Standing::state).anyMatch(state -> bare(cell(row, state.column()))
                .equals("unconfirmed"));
    }

    private void requireMayGetEmail(CSVRecord row) throws ImportRefusedException {
        for (Standing one : standing) {
            String value = cell(row, one.column());
            if (one.state() ? NO_EMAIL.contains(bare(value)) : !value.isEmpty()) {
                throw new ImportRefusedException(ImportReason.ROW_NO_EMAIL, one.heading(), shortened(value));
            }
        }
    }

    /**
     * Returns the profile of a row's person.
     *
     * @throws ImportRefusedException if the row says that the person gets no email, if it has too much text, or if a
     *     value does not fit its field
     */
    Profile profile(CSVRecord row, ListFields fields) throws ImportRefusedException {
        for (int i = attributes.size(); i < row.size(); i++) {
            if (!row.get(i).isBlank()) {
                throw new ImportRefusedException(
                        ImportReason.ROW_CELLS, row.size(), attributes.size(), delimiter.ordinal());
            }
        }
        requireMayGetEmail(row);
        Map<String, String> values = new TreeMap<>();
        int chars = 0;
        for (int i = 0; i < attributes.size(); i++) {
            String attribute = attributes.get(i);
            String value = attribute == null ? "" : cell(row, i);
            if (attribute != null && !value.isEmpty()) {
                values.put(attribute, value);
                chars += value.length();
            }
        }
        if (chars > MAX_CHARS) {
            throw new ImportRefusedException(ImportReason.ROW_LONG, MAX_CHARS);
        }
        ListFields.Checked checked = fields.check(values);
        Reason wrong = checked.refused().values().stream().limit(MAX_REASONS).reduce(Reason.NONE, Reason::and);
        if (!wrong.none()) {
            throw new ImportRefusedException(wrong);
        }
        try {
            return new Profile(name(row), checked.stored());
        } catch (Profile.InvalidProfileException tooMuch) {
            throw new ImportRefusedException(tooMuch.reason());
        }
    }

    private String name(CSVRecord row) {
        String whole = cell(row, name);
        return whole.isEmpty() ? (cell(row, givenName) + " " + cell(row, familyName)).strip() : whole;
    }

    private static String cell(CSVRecord row, int column) {
        return column >= 0 && column < row.size() ? oneLine(CsvWriter.unescapeFormulas(row.get(column))) : "";
    }

    /** Returns the text without control characters; line breaks become blanks. */
    private static String oneLine(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return text.replaceAll("\\p{Cntrl}+", " ").strip();
            }
        }
        return text.strip();
    }

    private static int findColumn(List<String> headings, List<String> wanted) {
        for (String heading : wanted) {
            int column = headings.indexOf(heading);
            if (column >= 0) {
                return column;
            }
        }
        return -1;
    }

    /** Returns the attribute of a column; {@code column} if none of the letters of its heading can be in a name. */
    private static @Nullable String attribute(String heading, Set<String> taken) {
        boolean foreign = heading.codePoints().anyMatch(c -> c > 127 && Character.isLetterOrDigit(c));
        String ascii = heading.strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[\\s.]+", "_")
                .replaceAll("[^a-z0-9_-]", "");
        String name = foreign && bare(ascii).isEmpty() ? "column" : ascii;
        if (name.isEmpty() || EXPORT_COLUMNS.contains(name)) {
            return null;
        }
        String base = name.length() > 60 ? name.substring(0, 60) : name;
        String free = base;
        for (int n = 2; !Field.isFree(free) || !taken.add(free); n++) {
            free = base + "_" + n;
        }
        return free;
    }

    private static String bare(String heading) {
        return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static String shortened(String text) {
        return text.length() > 200 ? Reason.truncate(text, 200) + "…" : text;
    }
}
