package org.azuremail.mail;

import org.azuremail.content.Template;
import org.azuremail.mail.mime.EncodedWords;

/**
 * A header beyond From, To, Subject, Date and Message-ID; its value is merged for each recipient like the bodies, on one
 * line. It goes out as it is, so it is ASCII: {@link EncodedWords} makes it of any text.
 */
public record MailHeader(String name, Template value) {}
