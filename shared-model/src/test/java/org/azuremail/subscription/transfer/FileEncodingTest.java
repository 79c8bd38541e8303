package org.azuremail.subscription.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.transfer.SubscriberImport.ImportFile;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the encoding of a file is detected or chosen, and that the report of a fault contains its line. */
class FileEncodingTest {

    private final ImportWorld imports = new ImportWorld(4);
    private final SubscriptionWorld world = imports.world;

    static Stream<Arguments> everyWayToWriteAFile() {
        return Arrays.stream(FileEncoding.values())
                .filter(encoding -> encoding != FileEncoding.WINDOWS_1250 && encoding != FileEncoding.WINDOWS_1251)
                .flatMap(encoding -> Stream.of(",", ";", "\t")
                        .flatMap(separator -> Stream.of("\n", "\r\n", "\r").flatMap(end -> Stream.of(false, true)
                                .filter(mark -> !mark || encoding != FileEncoding.WINDOWS_1252)
                                .map(mark -> Arguments.of(encoding, separator, end, mark)))));
    }

    @ParameterizedTest
    @MethodSource("everyWayToWriteAFile")
    void everyEncodingSeparatorAndLineEndIsDetected(FileEncoding encoding, String separator, String end, boolean mark) {
        String text = String.join(
                end,
                List.of(
                        String.join(separator, "Email", "Name", "Note"),
                        String.join(separator, "ann@example.org", "Zoë Müller", "\"two" + end + "lines\""),
                        String.join(separator, "bad", "Ünal", "x"),
                        String.join(separator, "bob@example.org", "Bob", "a", "b"),
                        ""));

        SubscriberImport done =
                imports.run(imports.start(((mark ? "\uFEFF" : "") + text).getBytes(encoding.charset()), true));

        assertThat(done.reason()).asString().isEmpty();
        assertThat(done.file().encoding()).isEqualTo(encoding);
        assertThat(done.file().chosen()).isFalse();
        assertThat(world.get("ann@example.org").profile().name()).isEqualTo("Zoë Müller");
        String sign = separator.equals(",") ? "a comma" : separator.equals(";") ? "a semicolon" : "a tab";
        assertThat(imports.refusedCsv(done.id()).lines().skip(1))
                .satisfiesExactly(bad -> assertThat(bad).startsWith("4,bad,").contains("Ünal"), many -> assertThat(many)
                        .startsWith("5,bob@example.org,")
                        .contains("if a cell contains " + sign));
    }

    /** Excel writes and reads this line in front of the header. */
    @ParameterizedTest
    @ValueSource(strings = {",", ";", "\t"})
    void aLineThatNamesTheSeparatorIsNotTheHeader(String separator) {
        String text = "\uFEFFsep=" + separator + "\r\n\r\n"
                + String.join(separator, "Email", "Name") + "\r\n"
                + String.join(separator, "ann@example.org", "Ann") + "\r\n"
                + String.join(separator, "bad", "Bob") + "\r\n";

        SubscriberImport done = imports.run(imports.start(text.getBytes(StandardCharsets.UTF_8), true));

        assertThat(done.reason()).asString().isEmpty();
        assertThat(world.get("ann@example.org").profile().name()).isEqualTo("Ann");
        assertThat(imports.refusedCsv(done.id()).lines())
                .satisfiesExactly(
                        header -> assertThat(header).isEqualTo("row,email,reason,Name"),
                        bad -> assertThat(bad).startsWith("5,bad,"));
    }

    @Test
    void exactlyWellFormedUtf8IsDetectedAsUtf8() throws IOException {
        Random random = new Random(42);
        for (int round = 0; round < 3000; round++) {
            byte[] bytes = new byte[random.nextInt(24)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (random.nextInt(3) > 0 ? 1 + random.nextInt(127) : 0x80 + random.nextInt(128));
            }
            byte[] file = round % 2 == 0 ? bytes : text(random).getBytes(StandardCharsets.UTF_8);
            boolean marked = file.length > 1 && ((file[0] == -1 && file[1] == -2) || (file[0] == -2 && file[1] == -1));
            if (!marked) {
                assertThat(found(file, 1 + random.nextInt(5)))
                        .as(Arrays.toString(file))
                        .isEqualTo(isUtf8(file) ? FileEncoding.UTF_8 : FileEncoding.WINDOWS_1252);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UTF_16LE", "UTF_16BE"})
    void textInAnyScriptIsDetectedAsUtf16(FileEncoding encoding) throws IOException {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            StringBuilder file = new StringBuilder("email,name\n");
            for (int row = 0; row < 1 + random.nextInt(20); row++) {
                file.append("person")
                        .append(row)
                        .append("@example.org,")
                        .append(text(random))
                        .append('\n');
            }
            assertThat(found(file.toString().getBytes(encoding.charset()), 1 + random.nextInt(9)))
                    .isEqualTo(encoding);
        }
    }

    @Test
    void aChosenEncodingOverridesTheDetectedOne() throws IOException {
        byte[] file = "email,name\nann@example.org,Łukasz Żak\n".getBytes(Charset.forName("windows-1250"));
        imports.run(imports.start(file, true));
        assertThat(world.get("ann@example.org").profile().name()).isNotEqualTo("Łukasz Żak");

        SubscriberImport done = imports.run(start(file, FileEncoding.WINDOWS_1250));

        assertThat(done.file())
                .extracting(ImportFile::encoding, ImportFile::chosen, ImportFile::name)
                .containsExactly(FileEncoding.WINDOWS_1250, true, "people.csv");
        assertThat(world.get("ann@example.org").profile().name()).isEqualTo("Łukasz Żak");
    }

    @ParameterizedTest
    @CsvSource({"UTF_8, 20001, is not UTF-8", "WINDOWS_1252, 20001, cannot be read as windows-1252"})
    void aFileInAnotherEncodingThanChosenChangesNothingAndNamesTheLine(FileEncoding said, String line, String why)
            throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes("email,name\n\"a@example.org\",\"two\nlines\"\n".getBytes(StandardCharsets.UTF_8));
        file.writeBytes("p@example.org,x\n".repeat(19_997).getBytes(StandardCharsets.UTF_8));
        file.writeBytes("z@example.org,M".getBytes(StandardCharsets.UTF_8));
        file.write(0x81); // neither UTF-8 nor anything in Windows-1252
        file.writeBytes("ller\n".getBytes(StandardCharsets.UTF_8));

        SubscriberImport done = imports.run(start(file.toByteArray(), said));

        assertThat(done.state()).isEqualTo(SubscriberImport.State.FAILED);
        assertThat(done.reason()).asString().startsWith("Line " + line + " " + why);
        assertThat(world.store().counts(world.list())).isEqualTo(SubscriberCounts.NONE);
    }

    @Test
    void aMisplacedQuoteIsReportedByItsOwnLineAndNotTheRowsFirst() {
        SubscriberImport done =
                imports.bring("email,name\r\na@example.org,\"1\r\n2\r\n3\" x\r\nb@example.org,B\r\n", true);

        assertThat(done.reason())
                .asString()
                .startsWith("Line 4 is not valid CSV")
                .doesNotContain("comma");
    }

    @ParameterizedTest
    @CsvSource({"504B0304140006", "D0CF11E0A1B11AE1"})
    void anExcelFileIsRefused(String start) throws IOException {
        byte[] file = java.util.HexFormat.of().parseHex(start);

        assertThat(imports.imports().start(imports.nextId(), LIST, upload(file, Optional.empty()), true, ADMIN))
                .isEqualTo(new Imports.ImportStartResult.Workbook());
        assertThat(imports.imports().latest(Optional.empty(), 10).items()).isEmpty();
    }

    @Test
    void anImportOfAnOlderVersionIsReadAsUtf8() {
        ImportId id = imports.start("email,name\nann@example.org,Zoë\n", true);
        imports.forgetEncoding(id);

        assertThat(imports.run(id).file().encoding()).isEqualTo(FileEncoding.UTF_8);
        assertThat(world.get("ann@example.org").profile().name()).isEqualTo("Zoë");
    }

    private ImportId start(byte[] file, FileEncoding encoding) throws IOException {
        Imports.ImportStartResult start =
                imports.imports().start(imports.nextId(), LIST, upload(file, Optional.of(encoding)), true, ADMIN);
        return ((Imports.ImportStartResult.Started) start).started().id();
    }

    private static Imports.Upload upload(byte[] file, Optional<FileEncoding> encoding) {
        return new Imports.Upload(new ByteArrayInputStream(file), "people.csv", encoding);
    }

    private static FileEncoding found(byte[] file, int step) throws IOException {
        EncodingDetector detector = new EncodingDetector(new ByteArrayInputStream(file), file.length);
        byte[] buffer = new byte[step];
        int count = 0;
        while (count >= 0) {
            count = detector.read(buffer, 0, step);
        }
        return detector.found();
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(12), 1, 0x11_000)
                .filter(c -> c < 0xD800 || c > 0xDFFF)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isUtf8(byte[] file) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(file));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
