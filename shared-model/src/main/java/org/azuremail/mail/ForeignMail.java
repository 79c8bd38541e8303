package org.azuremail.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.util.Properties;

/** Emails that others wrote, in whatever form: {@value #MOST_BYTES} bytes and so many parts of one are looked at, not more. */
public final class ForeignMail {

    public static final int MOST_BYTES = 1024 * 1024;

    private static final int MOST_BOUNDARIES = 400;

    /** Making one searches the class path, which takes longer than reading an email. */
    private static final Session SESSION = Session.getInstance(new Properties());

    private ForeignMail() {}

    /** @throws MessagingException when nobody can read it */
    public static MimeMessage parse(byte[] raw) throws MessagingException {
        return new MimeMessage(SESSION, new ByteArrayInputStream(raw, 0, end(raw)));
    }

    /** Reading a part costs more the more parts there are before it. */
    private static int end(byte[] raw) {
        int most = Math.min(raw.length, MOST_BYTES);
        int boundaries = 0;
        for (int i = 2; i < most; i++) {
            if (raw[i] == '-' && raw[i - 1] == '-' && raw[i - 2] == '\n' && ++boundaries > MOST_BOUNDARIES) {
                return i;
            }
        }
        return most;
    }
}
