package org.azuremail.subscription.transfer;

import java.nio.charset.Charset;
import java.util.Optional;
import org.azuremail.id.AsciiWord;

/** The encodings of a file; rows and the API use the name {@link #stored()}. */
public enum FileEncoding {
    UTF_8("utf-8"),
    UTF_16LE("utf-16le"),
    UTF_16BE("utf-16be"),
    /** Excel's default for CSV in Western Europe and America. */
    WINDOWS_1252("windows-1252"),
    WINDOWS_1250("windows-1250"),
    WINDOWS_1251("windows-1251");

    private final String stored;
    private final Charset charset;

    FileEncoding(String stored) {
        this.stored = stored;
        this.charset = Charset.forName(stored);
    }

    public String stored() {
        return stored;
    }

    Charset charset() {
        return charset;
    }

    public static Optional<FileEncoding> parse(String name) {
        return AsciiWord.find(FileEncoding.class, FileEncoding::stored, name);
    }
}
