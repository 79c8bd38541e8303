package org.azuremail.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** Emails that others wrote, in whatever form; at most {@value #MOST_BYTES} bytes of one are read, and a limited number of its parts. */
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

    /**
     * The beginning of a part's text, at most so many bytes. Where its encoding is unknown or its content does not keep to it, the
     * text is as it was transferred; empty where nobody can read even that.
     */
    public static String text(Part part, int most) {
        try (InputStream in = part.getInputStream()) {
            return new String(in.readNBytes(most), charset(part));
        } catch (MessagingException | IOException | RuntimeException odd) {
            return raw(part, most);
        }
    }

    /** The beginning of a part's content as it was transferred. */
    public static String raw(Part part, int most) {
        try (InputStream in = part instanceof MimeBodyPart body
                ? body.getRawInputStream()
                : ((MimeMessage) part).getRawInputStream()) {
            return new String(in.readNBytes(most), StandardCharsets.UTF_8);
        } catch (MessagingException | IOException | RuntimeException odd) {
            return "";
        }
    }

    private static Charset charset(Part part) {
        try {
            String name = new ContentType(part.getContentType()).getParameter("charset");
            return name == null ? StandardCharsets.UTF_8 : Charset.forName(MimeUtility.javaCharset(name));
        } catch (MessagingException | IllegalArgumentException unknown) {
            return StandardCharsets.UTF_8;
        }
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
